// Preloaded into a site. Records what it does to the files of its embedded database, in order.
// A worker thread loads only modules of `--require`.
const fs = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')

const { RECORDED_FOLDER = '', RECORD = '' } = process.env
const { writeSync, openSync } = fs
const record = openSync(RECORD, 'a')
const paths = new Map()
let syncs = 0

const isRecorded = (path) => typeof path === 'string' && path.startsWith(`${RECORDED_FOLDER}/`)

function add(entry, bytes = Buffer.alloc(0)) {
  const head = Buffer.from(JSON.stringify({ ...entry, length: bytes.length }))
  const size = Buffer.alloc(4)
  size.writeUInt32BE(head.length)
  // One write, because the threads of the site and the test append to the same file.
  writeSync(record, Buffer.concat([size, head, bytes]))
}

const after = (name, run) => {
  const original = fs[name]
  fs[name] = (...values) => {
    const result = original(...values)
    run(result, ...values)
    return result
  }
}
const ofFile =
  (run) =>
  (result, file, ...values) => {
    const path = paths.get(file)
    if (path) run(path, result, ...values)
  }
const ofPath =
  (run) =>
  (_result, path, ...values) => {
    if (isRecorded(path)) run(path, ...values)
  }

after('openSync', (file, path) => (isRecorded(path) ? paths.set(file, path) : paths.delete(file)))
after('closeSync', (_result, file) => paths.delete(file))
after(
  'writeSync',
  ofFile((path, written, bytes, offset, _length, at) =>
    add({ op: 'write', path, at }, Buffer.from(bytes.subarray(offset, offset + written))),
  ),
)
after(
  'ftruncateSync',
  ofFile((path, _result, size) => add({ op: 'truncate', path, size })),
)
after(
  'truncateSync',
  ofPath((path, size) => add({ op: 'truncate', path, size })),
)
after(
  'writeFileSync',
  ofPath((path) => add({ op: 'create', path })),
)
after(
  'unlinkSync',
  ofPath((path) => add({ op: 'unlink', path })),
)
after(
  'renameSync',
  ofPath((path, to) => add({ op: 'rename', path, to })),
)
for (const name of ['fsyncSync', 'fdatasyncSync']) {
  const original = fs[name]
  fs[name] = (file) => {
    original(file)
    const path = paths.get(file)
    if (path) add({ op: 'sync', path })
  }
}
const { fdatasync } = fs
fs.fdatasync = (file, done) => {
  const path = paths.get(file)
  const id = `${process.pid}-${syncs++}`
  if (path) add({ op: 'sync-begin', path, id })
  fdatasync(file, (error) => {
    if (path && !error) add({ op: 'sync-end', path, id })
    done(error)
  })
}
syncBuiltinESMExports()
