// RUN: plumb-opt --plumb-expand-complex %s | FileCheck %s

// Two values for each complex one: of functions, branches, loops and gradients.

// CHECK-LABEL: func.func private @step(
// CHECK-SAME: %[[A:.*]]: tensor<2xf32>, %[[B:.*]]: tensor<2xf32>, %[[Y:.*]]: tensor<2xf32>, %[[C:.*]]: tensor<i1>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
func.func private @step(%x: tensor<2xcomplex<f32>>, %y: tensor<2xf32>, %c: tensor<i1>) -> (tensor<2xcomplex<f32>>, tensor<2xf32>) {
  // CHECK: %[[P:.*]]:2 = call @product(%[[A]], %[[B]], %[[A]], %[[B]]) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  %p = func.call @product(%x, %x) : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  %i = tensor.extract %c[] : tensor<i1>
  // CHECK: %[[R:.*]]:2 = scf.if %{{.*}} -> (tensor<2xf32>, tensor<2xf32>)
  %r = scf.if %i -> tensor<2xcomplex<f32>> {
    // CHECK: %[[N:.*]] = net.neg %[[P]]#1
    // CHECK: scf.yield %[[P]]#0, %[[N]] : tensor<2xf32>, tensor<2xf32>
    %n = net.conj %p : tensor<2xcomplex<f32>>
    scf.yield %n : tensor<2xcomplex<f32>>
  } else {
    // CHECK: scf.yield %[[A]], %[[B]] : tensor<2xf32>, tensor<2xf32>
    scf.yield %x : tensor<2xcomplex<f32>>
  }
  // CHECK: %[[T:.*]] = net.atan2 %[[R]]#1, %[[R]]#0
  %a = net.angle %r : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  // CHECK: return %[[R]]#0, %[[R]]#1, %[[T]]
  return %r, %a : tensor<2xcomplex<f32>>, tensor<2xf32>
}

// CHECK-LABEL: func.func private @product(
// CHECK-SAME: %[[A:.*]]: tensor<2xf32>, %[[B:.*]]: tensor<2xf32>, %[[C:.*]]: tensor<2xf32>, %[[D:.*]]: tensor<2xf32>)
func.func private @product(%x: tensor<2xcomplex<f32>>, %y: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  // CHECK-DAG: %[[AC:.*]] = net.mul %[[A]], %[[C]]
  // CHECK-DAG: %[[BD:.*]] = net.mul %[[B]], %[[D]]
  // CHECK-DAG: %[[AD:.*]] = net.mul %[[A]], %[[D]]
  // CHECK-DAG: %[[BC:.*]] = net.mul %[[B]], %[[C]]
  // CHECK-DAG: %[[RE:.*]] = net.sub %[[AC]], %[[BD]]
  // CHECK-DAG: %[[IM:.*]] = net.add %[[AD]], %[[BC]]
  // CHECK: return %[[RE]], %[[IM]]
  %p = net.mul %x, %y : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return %p : tensor<2xcomplex<f32>>
}

// The adjoint of a complex result is one, without an imaginary part.
// CHECK-LABEL: func.func private @gradient(
func.func private @gradient(%x: tensor<2xcomplex<f32>>, %y: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  // CHECK: %[[ONE:.*]] = net.constant dense<1.000000e+00> : tensor<2xf32>
  // CHECK: %[[ZERO:.*]] = net.constant dense<0.000000e+00> : tensor<2xf32>
  // CHECK: %[[G:.*]]:4 = net.value_and_grad @product(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[ONE]], %[[ZERO]]) {argnums = [2, 3], sens = true}
  // CHECK: return %[[G]]#2, %[[G]]#3
  %v, %g = net.value_and_grad @product(%x, %y) {argnums = [1]} : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>)
  return %g : tensor<2xcomplex<f32>>
}

// CHECK-LABEL: func.func private @loop(
func.func private @loop(%x: tensor<complex<f32>>, %n: index) -> tensor<complex<f32>> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // CHECK: scf.for {{.*}} -> (tensor<f32>, tensor<f32>)
  %r = scf.for %i = %zero to %n step %one iter_args(%z = %x) -> tensor<complex<f32>> {
    %y = net.add %z, %x : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    scf.yield %y : tensor<complex<f32>>
  }
  return %r : tensor<complex<f32>>
}

// A length beyond one product: columns of 32, roots of unity, rows. Real numbers take half the products.
// CHECK-LABEL: func.func private @fft(
func.func private @fft(%x: tensor<96xf32>) -> tensor<96xcomplex<f32>> {
  // CHECK-COUNT-2: net.matmul %{{.*}} : (tensor<32x32xf32>, tensor<1x32x3xf32>) -> tensor<1x32x3xf32>
  // CHECK-COUNT-4: net.matmul %{{.*}} : (tensor<32x3xf32>, tensor<3x3xf32>) -> tensor<32x3xf32>
  // CHECK: net.transpose %{{.*}} perm [0, 2, 1]
  %y = net.fft %x axes [0] : (tensor<96xf32>) -> tensor<96xcomplex<f32>>
  return %y : tensor<96xcomplex<f32>>
}
