// Preloaded into a site: its disk reports syncs as done at once, as before the embedded database had any.
const fs = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')

fs.fsyncSync = () => {}
fs.fdatasyncSync = () => {}
fs.fdatasync = (_file, done) => process.nextTick(done, null)
syncBuiltinESMExports()
