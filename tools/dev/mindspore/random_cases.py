"""Cases of names that draw random numbers: what they draw is compared by its moments, range and quantiles, since the streams differ."""

_SHAPE = "(600, 500)"
_ONES = "ops.ones((600, 500), ms.float32)"
_MAPS = {"1": "ops.ones((300, 200, 5), ms.float32)", "2": "ops.ones((300, 200, 2, 2), ms.float32)", "3": "ops.ones((300, 200, 2, 1, 1), ms.float32)"}
_LOGITS = "ms.Tensor([[0.1, 1.5, -0.7, 0.4]] * 4)"
_WEIGHTS = "ms.Tensor([[0.1, 1.5, 0.0, 0.4]] * 4)"

#: Expressions whose values are samples, by module and name.
RANDOM = {
    "ops": {
        "Bernoulli": [f"ops.Bernoulli()({_ONES}, ms.Tensor(0.3))"], "bernoulli": [f"ops.bernoulli({_ONES}, 0.3)"],
        "Dropout": [f"ops.Dropout({keep})({_ONES})[0]" for keep in (0.8, 0.3)], "dropout": [f"ops.dropout({_ONES}, {share})" for share in (0.2, 0.7)],
        **{f"Dropout{rank}D": [f"ops.Dropout{rank}D({keep})({maps})[0]" for keep in (0.8, 0.3)] for rank, maps in _MAPS.items() if rank != "1"},
        **{f"dropout{rank}d": [f"ops.dropout{rank}d({maps}, {share})" for share in (0.2, 0.7)] for rank, maps in _MAPS.items()},
        "Multinomial": [f"ops.Multinomial()({_WEIGHTS}, 50000)"], "multinomial": [f"ops.multinomial({_WEIGHTS}, 50000)"],
        "multinomial_with_replacement": [f"ops.multinomial_with_replacement({_WEIGHTS} / 2.0, 1, 2, 50000, True)"],
        "RandomCategorical": [f"ops.RandomCategorical()({_LOGITS}, 50000, 1)"], "random_categorical": [f"ops.random_categorical({_LOGITS}, 50000)"],
        "RandomShuffle": ["ops.RandomShuffle()(ops.arange(0, 5000))"], "shuffle": ["ops.shuffle(ops.arange(0, 5000))"],
        "StandardLaplace": [f"ops.StandardLaplace()({_SHAPE})"], "standard_laplace": [f"ops.standard_laplace({_SHAPE})"],
        "StandardNormal": [f"ops.StandardNormal()({_SHAPE})"], "standard_normal": [f"ops.standard_normal({_SHAPE})"],
        "TruncatedNormal": ["ops.TruncatedNormal()(ms.Tensor([600, 500], ms.int32))"],
        "UniformInt": [f"ops.UniformInt()({_SHAPE}, ms.Tensor(3, ms.int32), ms.Tensor(10, ms.int32))"], "UniformReal": [f"ops.UniformReal()({_SHAPE})"],
        "gumbel_softmax": ["ops.gumbel_softmax(ops.zeros((5000, 4), ms.float32), 1.0)", "ops.gumbel_softmax(ops.zeros((5000, 4), ms.float32), 3.0, True)"],
        "laplace": [f"ops.laplace({_SHAPE}, ms.Tensor(1.0), ms.Tensor(0.5))"], "normal": [f"ops.normal({_SHAPE}, 1.0, 0.5)"],
        "rand": ["ops.rand(600, 500)"], "randn": ["ops.randn(600, 500)"], "rand_like": [f"ops.rand_like({_ONES})"], "randn_like": [f"ops.randn_like({_ONES})"],
        "randint": [f"ops.randint(3, 10, {_SHAPE})"], "randint_like": [f"ops.randint_like(ops.ones((600, 500), ms.int32), 3, 10)"], "randperm": ["ops.randperm(5000)"],
        "gamma": [f"ops.gamma({_SHAPE}, ms.Tensor([2.0]), ms.Tensor([3.0]))"], "random_gamma": ["ops.random_gamma(ms.Tensor([300000], ms.int32), ms.Tensor([2.0]))"],
        "random_poisson": ["ops.random_poisson(ms.Tensor([300000], ms.int32), ms.Tensor([2.5]))"],
        "Gamma": [f"primitive('Gamma')({_SHAPE}, ms.Tensor([2.0]), ms.Tensor([3.0]))"], "Poisson": [f"primitive('Poisson')({_SHAPE}, ms.Tensor([2.5]))"],
        "RandomGamma": ["primitive('RandomGamma')(ms.Tensor([300000], ms.int32), ms.Tensor([2.0]))"],
        "RandomPoisson": ["primitive('RandomPoisson')(ms.Tensor([300000], ms.int32), ms.Tensor([2.5]))"],
        "LogNormalReverse": [f"primitive('LogNormalReverse', 0.3, 0.2)({_ONES})"], "NonDeterministicInts": ["primitive('NonDeterministicInts')(ms.Tensor([600, 500], ms.int32))",
            "primitive('NonDeterministicInts', ms.int32)(ms.Tensor([600, 500], ms.int32))"],
        "MultinomialWithReplacement": [f"primitive('MultinomialWithReplacement', 50000, True)({_WEIGHTS} / 2.0, ms.Tensor([1], ms.int64), ms.Tensor([2], ms.int64))"],
        "Randperm": ["primitive('Randperm', 5000)(ms.Tensor([5000], ms.int32))"], "RandpermV2": ["primitive('RandpermV2')(ms.Tensor([5000], ms.int64), ms.Tensor([1], ms.int64), ms.Tensor([2], ms.int64))"],
        "rrelu": [f"ops.rrelu(-{_ONES}, 0.1, 0.4)"],
        "uniform": [f"ops.uniform({_SHAPE}, ms.Tensor(-1.0), ms.Tensor(2.0))",
                    f"ops.uniform({_SHAPE}, ms.Tensor(3, ms.int32), ms.Tensor(10, ms.int32), dtype=ms.int32)"],
    },
    "Tensor": {"bernoulli": [f"{_ONES}.bernoulli(0.3)"], "multinomial": [f"{_WEIGHTS}.multinomial(50000)"],
               "random_categorical": [f"{_LOGITS}.random_categorical(50000)"]},
    "numpy": {"rand": ["mnp.rand(600, 500)"], "randn": ["mnp.randn(600, 500)"],
              "randint": [f"mnp.randint(3, 10, {_SHAPE})", f"mnp.randint(9, None, {_SHAPE})"]},
    "nn": {"Dropout": [f"nn.Dropout(p=0.3).set_train()({_ONES})", f"nn.Dropout(p=0.3)({_ONES})"],
           **{f"Dropout{rank}d": [f"nn.Dropout{rank}d(0.3).set_train()({maps})"] for rank, maps in _MAPS.items()},
           "RReLU": [f"nn.RReLU(0.1, 0.4).set_train()(-{_ONES})"]},
}
