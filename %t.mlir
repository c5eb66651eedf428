module {
  device.module @net attributes {arena_buffers = [], arena_bytes = 0 : i64, arena_lower_bound = 0 : i64, variables_bytes = 0 : i64} {
    device.queue @train columns ["x"] (tensor<1x16xi8>) depth(4) {device.arrays = {x = dense_resource<train.x> : tensor<2x16xi8>}, offsets = array<i64: 0>, pipeline = "{\22source_type\22: \22ArraySource\22, \22source\22: {\22columns\22: [{\22name\22: \22x\22, \22element\22: \22i8\22, \22shape\22: [16]}]}, \22stages\22: [{\22stage_type\22: \22Batch\22, \22stage\22: {\22size\22: 1}}]}", slot_bytes = 64 : i64}
    device.loop @train {mode = "train", record_bytes = 8 : i64} {
      %0 = device.get_next @train : memref<1x16xi8>
      device.yield
    }
  }
}

{-#
  dialect_resources: {
    builtin: {
      "train.x": "0x0800000054686973206973206E6F206A736F6E2C206275742062797465732C20726F7773"
    }
  }
#-}
