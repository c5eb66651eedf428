"""The architectures of section `zoo`, written once for all sides: each takes a kit, `zoo_plumb`, `zoo_torch` or `zoo_jax`, and
builds with its layers. All kits offer the same functions and make parameters in the same order, so that all sides can begin alike.

Images have 32 or 64 pixels where the papers have 224: extents of channels are the papers'. There is no dropout, so that losses
can be compared.
"""

import collections

# kind: "normal", or "integers" below `limit`; shape: of one row.
Column = collections.namedtuple("Column", "kind shape limit", defaults=(None,))
# build(kit): the network; inputs and target: columns; loss: what a kit's `loss` knows; optimizer: "momentum", "adam" or "sgd".
Network = collections.namedtuple("Network", "build inputs target loss optimizer")

CLASSES = 100


def vgg11(kit):
    """VGG-11 (Simonyan and Zisserman 2014), with one dense layer behind the last image of one pixel."""
    layers, inputs = [], 3
    for width in (64, 0, 128, 0, 256, 256, 0, 512, 512, 0, 512, 512, 0):
        layers.append(kit.conv(inputs, width, norm=False) if width else kit.max_pool(2, 2))
        inputs = width or inputs
    return kit.chain(*layers, kit.flatten(), kit.dense(512, CLASSES))


def alexnet(kit):
    """AlexNet (Krizhevsky 2014), of which 64 pixels leave one."""
    def conv(inputs, outputs, kernel, stride=1):
        return kit.conv(inputs, outputs, kernel, stride, norm=False, padding=2 if kernel == 11 else kernel // 2)
    return kit.chain(conv(3, 64, 11, 4), kit.max_pool(3, 2), conv(64, 192, 5), kit.max_pool(3, 2), conv(192, 384, 3),
                     conv(384, 256, 3), conv(256, 256, 3), kit.max_pool(3, 2), kit.flatten(),
                     kit.dense(256, 4096, "relu"), kit.dense(4096, 4096, "relu"), kit.dense(4096, CLASSES))


def mobilenet_v1(kit):
    """MobileNet (Howard et al. 2017)."""
    layers, inputs = [kit.conv(3, 32, 3, 2)], 32
    for outputs, stride in [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2)] + [(512, 1)] * 5 + [(1024, 2), (1024, 1)]:
        layers += [kit.conv(inputs, inputs, 3, stride, groups=inputs), kit.conv(inputs, outputs, 1)]
        inputs = outputs
    return kit.chain(*layers, kit.image_mean(), kit.dense(1024, CLASSES))


def mobilenet_v2(kit):
    """MobileNetV2 (Sandler et al. 2018): inverted residuals."""
    layers, inputs = [kit.conv(3, 32, 3, 2, act="relu6")], 32
    for widened, outputs, count, stride in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2),
                                            (6, 320, 1, 1)):
        for index in range(count):
            step, hidden = stride if index == 0 else 1, inputs * widened
            widen = [kit.conv(inputs, hidden, 1, act="relu6")] if widened > 1 else []
            body = kit.chain(*widen, kit.conv(hidden, hidden, 3, step, groups=hidden, act="relu6"),
                             kit.conv(hidden, outputs, 1, act=None))
            layers.append(kit.residual(body) if step == 1 and inputs == outputs else body)
            inputs = outputs
    return kit.chain(*layers, kit.conv(320, 1280, 1, act="relu6"), kit.image_mean(), kit.dense(1280, CLASSES))


def resnet(kit, counts, bottleneck):
    """A residual network (He et al. 2015) of four stages; bottlenecks have the stride at their 3x3 convolution."""
    layers, inputs = [kit.conv(3, 64, 7, 2), kit.max_pool(3, 2, 1)], 64
    for stage, count in enumerate(counts):
        width = 64 << stage
        outputs = 4 * width if bottleneck else width
        for index in range(count):
            stride = 2 if index == 0 and stage > 0 else 1
            if bottleneck:
                body = kit.chain(kit.conv(inputs, width, 1), kit.conv(width, width, 3, stride), kit.conv(width, outputs, 1, act=None))
            else:
                body = kit.chain(kit.conv(inputs, width, 3, stride), kit.conv(width, width, 3, act=None))
            shortcut = None if stride == 1 and inputs == outputs else kit.conv(inputs, outputs, 1, stride, act=None)
            layers.append(kit.residual(body, shortcut, "relu"))
            inputs = outputs
    return kit.chain(*layers, kit.image_mean(), kit.dense(inputs, CLASSES))


def densenet_block(kit, growth=32):
    """DenseNet-121's beginning (Huang et al. 2016): the first block of six layers, and the transition behind it."""
    layers, inputs = [kit.conv(3, 64, 7, 2), kit.max_pool(3, 2, 1)], 64
    for _ in range(6):
        layers.append(kit.concat(kit.chain(), kit.chain(kit.norm(inputs), kit.act("relu"), kit.conv(inputs, 4 * growth, 1),
                                                        kit.bare_conv(4 * growth, growth, 3))))
        inputs += growth
    transition = kit.chain(kit.norm(inputs), kit.act("relu"), kit.bare_conv(inputs, inputs // 2, 1), kit.mean_pool(2, 2))
    return kit.chain(*layers, transition, kit.image_mean(), kit.dense(inputs // 2, CLASSES))


def inception_block(kit):
    """GoogLeNet's blocks 3a and 3b (Szegedy et al. 2014) on 28 pixels, behind a convolution that makes their 192 channels."""
    def block(inputs, plain, narrow3, wide3, narrow5, wide5, pooled):
        return kit.concat(kit.conv(inputs, plain, 1), kit.chain(kit.conv(inputs, narrow3, 1), kit.conv(narrow3, wide3, 3)),
                          kit.chain(kit.conv(inputs, narrow5, 1), kit.conv(narrow5, wide5, 5)),
                          kit.chain(kit.max_pool(3, 1, 1), kit.conv(inputs, pooled, 1)))
    return kit.chain(kit.conv(3, 192, 3), block(192, 64, 96, 128, 16, 32, 32), block(256, 128, 128, 192, 32, 96, 64), kit.image_mean(),
                     kit.dense(480, CLASSES))


def unet(kit, width=32, levels=3):
    """U-Net (Ronneberger et al. 2015), normalised; scores of two classes for each pixel."""
    def pair(inputs, outputs):
        return kit.chain(kit.conv(inputs, outputs), kit.conv(outputs, outputs))

    def below(inputs, level):
        here = width << level
        if level == levels:
            return pair(inputs, here)
        inner = kit.chain(kit.max_pool(2, 2), below(here, level + 1), kit.double(2 * here, here))
        return kit.chain(pair(inputs, here), kit.concat(kit.chain(), inner), pair(2 * here, here))
    return kit.chain(below(3, 0), kit.bare_conv(width, 2, 1, bias=True))


def transformer_layer(kit, width, heads, causal=False):
    """A layer that normalises first."""
    return kit.chain(kit.residual(kit.chain(kit.layer_norm(width), kit.attention(width, heads, causal))),
                     kit.residual(kit.chain(kit.layer_norm(width), kit.dense(width, 4 * width, "gelu"), kit.dense(4 * width, width))))


def vit(kit, width=192, depth=12, patch=8, tokens=64):
    """ViT-Ti (Touvron et al. 2020) on 64 tokens, heads of 64 numbers; classified by the tokens' mean."""
    layers = [transformer_layer(kit, width, width // 64) for _ in range(depth)]
    return kit.chain(kit.patches(3, width, patch), kit.positions(tokens, width), *layers, kit.layer_norm(width), kit.sequence_mean(),
                     kit.dense(width, CLASSES))


def mlp_mixer(kit, width=512, depth=8, tokens=64):
    """MLP-Mixer S (Tolstikhin et al. 2021), patches of 8 pixels."""
    def mlp(inputs, hidden):
        return [kit.dense(inputs, hidden, "gelu"), kit.dense(hidden, inputs)]
    layers = []
    for _ in range(depth):
        layers += [kit.residual(kit.chain(kit.layer_norm(width), kit.swap(), *mlp(tokens, 256), kit.swap())),
                   kit.residual(kit.chain(kit.layer_norm(width), *mlp(width, 2048)))]
    return kit.chain(kit.patches(3, width, 8), *layers, kit.layer_norm(width), kit.sequence_mean(), kit.dense(width, CLASSES))


def gpt(kit, width=256, depth=4, length=128, vocabulary=4096):
    """A decoder as in GPT-2 (Radford et al. 2019), heads of 64 numbers."""
    layers = [transformer_layer(kit, width, width // 64, causal=True) for _ in range(depth)]
    return kit.chain(kit.embedding(vocabulary, width), kit.positions(length, width), *layers, kit.layer_norm(width),
                     kit.dense(width, vocabulary))


def bert_tiny(kit, width=128, depth=2, length=128, vocabulary=30522):
    """An encoder of BERT-tiny's extents (Turc et al. 2019) that classifies sentences."""
    layers = [transformer_layer(kit, width, 2) for _ in range(depth)]
    return kit.chain(kit.embedding(vocabulary, width), kit.positions(length, width), *layers, kit.layer_norm(width), kit.first(),
                     kit.dense(width, width, "tanh"), kit.dense(width, 2))


def text_cnn(kit, width=128, vocabulary=10000):
    """Windows of three, four and five words (Kim 2014)."""
    windows = kit.concat(*(kit.word_conv(width, 100, kernel) for kernel in (3, 4, 5)))
    return kit.chain(kit.embedding(vocabulary, width), kit.swap(), windows, kit.dense(300, 2))


def dlrm(kit, size=16, tables=26, rows=10000):
    """A recommender (Naumov et al. 2019) with 13 numbers and 26 tables of Criteo's kind."""
    count = tables + 1
    bottom = kit.chain(kit.dense(13, 512, "relu"), kit.dense(512, 256, "relu"), kit.dense(256, size, "relu"))
    top = kit.chain(kit.dense(size + count * (count - 1) // 2, 512, "relu"), kit.dense(512, 256, "relu"), kit.dense(256, 1))
    return kit.interactions(bottom, [rows] * tables, size, top)


def recurrent(kit, kind, width=128, hidden=256, vocabulary=4096):
    """A recurrent classifier of 64 words."""
    return kit.chain(kit.embedding(vocabulary, width), kit.recurrent(kind, width, hidden), kit.dense(hidden, 2))


def autoencoder(kit):
    """Digits through 32 numbers (Hinton and Salakhutdinov 2006)."""
    widths = (784, 1000, 500, 250, 32, 250, 500, 1000)
    return kit.chain(*(kit.dense(below, above, None if above == 32 else "relu") for below, above in zip(widths, widths[1:])),
                     kit.dense(1000, 784))


def gcn(kit, nodes=2708, features=1433, edges=13264):
    """Two graph convolutions (Kipf and Welling 2016) of Cora's extents; a batch is of nodes that have a label."""
    return kit.graph(nodes, features, edges, hidden=16, classes=7)


def wide_dense(kit, width=3000):
    """Two square layers of 3000."""
    return kit.chain(kit.dense(width, width, "relu"), kit.dense(width, width))


def _tokens(length, vocabulary, **extents):
    column = Column("integers", (length,), vocabulary)
    return Network(lambda kit: gpt(kit, length=length, vocabulary=vocabulary, **extents), [column], column, "tokens", "adam")


def _images(build, side, optimizer="momentum"):
    return Network(build, [Column("normal", (3, side, side))], Column("integers", (), CLASSES), "classes", optimizer)


def _words(build, length, vocabulary, optimizer="adam"):
    return Network(build, [Column("integers", (length,), vocabulary)], Column("integers", (), 2), "classes", optimizer)


SMALL_NETWORKS = {
    "vgg11": _images(vgg11, 32), "alexnet": _images(alexnet, 64), "mobilenet_v1": _images(mobilenet_v1, 64),
    "mobilenet_v2": _images(mobilenet_v2, 64), "resnet18": _images(lambda kit: resnet(kit, (2, 2, 2, 2), False), 64),
    "resnet50": _images(lambda kit: resnet(kit, (3, 4, 6, 3), True), 64), "densenet_block": _images(densenet_block, 64),
    "inception_block": _images(inception_block, 28),
    "unet": Network(unet, [Column("normal", (3, 64, 64))], Column("integers", (64, 64), 2), "classes", "adam"),
    "vit_tiny": _images(vit, 64, "adam"), "mlp_mixer": _images(mlp_mixer, 64, "adam"),
    "gpt": _tokens(128, 4096),
    "bert_tiny": _words(bert_tiny, 128, 30522), "text_cnn": _words(text_cnn, 64, 10000),
    "dlrm": Network(dlrm, [Column("normal", (13,)), Column("integers", (26,), 10000)], Column("integers", (1,), 2), "clicks", "sgd"),
    "lstm": _words(lambda kit: recurrent(kit, "lstm"), 64, 4096), "gru": _words(lambda kit: recurrent(kit, "gru"), 64, 4096),
    "autoencoder": Network(autoencoder, [Column("normal", (784,))], Column("normal", (784,)), "squares", "adam"),
    "gcn": Network(gcn, [Column("integers", (), 2708)], Column("integers", (), 7), "classes", "adam"),
    "wide_dense": Network(wide_dense, [Column("normal", (3000,))], Column("normal", (3000,)), "squares", "momentum"),
}
# At the extents of their papers: GPT-2 with 163 million weights, images of 224 pixels; minutes each, so only when named.
LARGE_NETWORKS = {
    "gpt2": _tokens(1024, 50257, width=768, depth=12),
    "resnet50_224": _images(lambda kit: resnet(kit, (3, 4, 6, 3), True), 224),
    "vit_base": _images(lambda kit: vit(kit, width=768, patch=16, tokens=196), 224, "adam"),
}
NETWORKS = {**SMALL_NETWORKS, **LARGE_NETWORKS}
