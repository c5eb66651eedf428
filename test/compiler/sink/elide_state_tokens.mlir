// RUN: plumb-opt %s --plumb-elide-state-tokens | FileCheck %s

net.parameter @w : tensor<f32> = dense<1.0> : tensor<f32>

// CHECK-LABEL: func.func @straight(%{{.*}}: tensor<f32>) -> tensor<f32> {
func.func @straight(%x: tensor<f32>) -> (tensor<f32>, !net.u, !net.io) {
  // CHECK-NOT: net.token
  %u = net.token : !net.u
  %io = net.token : !net.io
  // CHECK: %[[W:.*]] = net.read @w : tensor<f32>
  %w, %u1 = net.read @w after %u : tensor<f32>
  // CHECK: net.assign @w, %{{.*}} : tensor<f32>
  %u2 = net.assign @w, %x after %u1 : tensor<f32>
  // CHECK: net.print "w {}"(%[[W]]) : tensor<f32>
  %io1 = net.print "w {}"(%w) after %io : tensor<f32>
  %d = net.depend %w, %u2 : tensor<f32>, !net.u
  // CHECK: return %[[W]] : tensor<f32>
  return %d, %u2, %io1 : tensor<f32>, !net.u, !net.io
}

// Branches and loops lose their token results and arguments; inner ones too.
// CHECK-LABEL: func.func @nested(%{{.*}}: tensor<f32>, %{{.*}}: i1) -> tensor<f32>
func.func @nested(%x: tensor<f32>, %c: i1) -> (tensor<f32>, !net.u) {
  %u = net.token : !net.u
  // CHECK: %[[R:.*]] = scf.while (%[[A:.*]] = %{{.*}}) : (tensor<f32>) -> tensor<f32> {
  %r:2 = scf.while (%a = %x, %t = %u) : (tensor<f32>, !net.u) -> (tensor<f32>, !net.u) {
    // CHECK: scf.condition(%{{.*}}) %[[A]] : tensor<f32>
    scf.condition(%c) %a, %t : tensor<f32>, !net.u
  } do {
  ^bb0(%a: tensor<f32>, %t: !net.u):
    // CHECK: scf.if %{{.*}} {
    %t1 = scf.if %c -> (!net.u) {
      // CHECK: net.assign @w
      %t2 = net.assign @w, %a after %t : tensor<f32>
      scf.yield %t2 : !net.u
    } else {
      scf.yield %t : !net.u
    }
    // CHECK: %[[V:.*]] = net.read @w : tensor<f32>
    %v, %t3 = net.read @w after %t1 : tensor<f32>
    // CHECK: scf.yield %[[V]] : tensor<f32>
    scf.yield %v, %t3 : tensor<f32>, !net.u
  }
  // CHECK: return %[[R]] : tensor<f32>
  return %r#0, %r#1 : tensor<f32>, !net.u
}

// A branch's token flows into a loop behind it, whose own goes on into a branch: none of them is left when the first one goes.
// CHECK-LABEL: func.func @neighbours(%{{.*}}: tensor<f32>, %{{.*}}: i1)
func.func @neighbours(%x: tensor<f32>, %c: i1) -> !net.u {
  %u = net.token : !net.u
  // CHECK: scf.if %{{.*}} {
  %u1 = scf.if %c -> (!net.u) {
    %t = net.assign @w, %x after %u : tensor<f32>
    scf.yield %t : !net.u
  } else {
    scf.yield %u : !net.u
  }
  // CHECK: scf.while : () -> () {
  %u2 = scf.while (%t = %u1) : (!net.u) -> !net.u {
    scf.condition(%c) %t : !net.u
  } do {
  ^bb0(%t: !net.u):
    %t1 = net.assign @w, %x after %t : tensor<f32>
    scf.yield %t1 : !net.u
  }
  // CHECK: scf.if %{{.*}} {
  %u3 = scf.if %c -> (!net.u) {
    %t = net.assign @w, %x after %u2 : tensor<f32>
    scf.yield %t : !net.u
  } else {
    scf.yield %u2 : !net.u
  }
  // CHECK: return{{$}}
  return %u3 : !net.u
}
