import { fsyncSync } from 'node:fs'
import { dirname } from 'node:path'
import type { PGlite, postgresMod } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { syncFolderNow } from '#db/fileSystem.server.ts'
import type { LogSync } from './logSync.server.ts'

const LOG_FILE = /\/pg_wal\/[0-9A-F]{24}$/

type Node = { parent: Node; mode: number }
type Stream = { nfd: number; node: Node; logFile?: string | null }
type Operations = Record<string, (...values: never[]) => unknown>
/** Emscripten's file system of Node.js: https://github.com/emscripten-core/emscripten/blob/main/src/lib/libnodefs.js */
type NodeFiles = {
  realPath(node: Node): string
  tryFSOperation<T>(run: () => T): T
  node_ops: Operations
  stream_ops: Operations
}

type Options = {
  log: Pick<LogSync, 'request' | 'settle' | 'beforeClose'>
  /** Called before the write-ahead log is written. */
  onLogWrite: (isNewFile: boolean) => void
  /** Called before another file is read or written. */
  onAccess: () => void
  onModule: (module: postgresMod.PostgresMod) => void
}

/**
 * The files of the embedded database, with syncs: the file system of PGlite 0.5.14 has none, and reports success. Needs
 * `wal_sync_method=fsync`, because Emscripten never passes `fdatasync` on.
 */
export class DatabaseFiles extends NodeFS {
  #options: Options

  constructor(folder: string, options: Options) {
    super(folder)
    this.#options = options
  }

  override async init(database: PGlite, given: Partial<postgresMod.PostgresMod>) {
    const initialised = await super.init(database, given)
    initialised.emscriptenOpts.preRun?.push((module) => {
      addSyncs(module.FS.filesystems.NODEFS as unknown as NodeFiles, this.#options)
      this.#options.onModule(module)
    })
    return initialised
  }
}

/** Adds syncs to the operations of a file system. */
export function addSyncs(files: NodeFiles, { log, onLogWrite, onAccess }: Options): void {
  /** The names of new files are on the disk only when their folder is synced. PostgreSQL syncs only the files. */
  const changedFolders = new Set<string>()
  /** Returns the path of a file of the write-ahead log. */
  const logFile = (stream: Stream) => {
    if (stream.logFile === undefined) {
      const path = files.realPath(stream.node)
      stream.logFile = LOG_FILE.test(path) ? path : null
    }
    return stream.logFile
  }
  let lastLogFile: string | null = null

  const before = (operations: Operations, name: string, run: (...values: never[]) => void) => {
    const original = operations[name]
    operations[name] = (...values) => {
      run(...values)
      return original?.(...values)
    }
  }
  const { stream_ops: streams, node_ops: nodes } = files
  streams.fsync = (stream: Stream) =>
    files.tryFSOperation(() => {
      if (logFile(stream)) log.request(stream.nfd)
      else fsyncSync(stream.nfd)
      const folder = dirname(files.realPath(stream.node))
      if (changedFolders.delete(folder)) syncFolderNow(folder)
      return 0
    })
  before(streams, 'read', (stream: Stream) => logFile(stream) || onAccess())
  before(streams, 'write', (stream: Stream) => {
    const written = logFile(stream)
    if (written) {
      onLogWrite(lastLogFile !== null && written !== lastLogFile)
      lastLogFile = written
    } else {
      log.settle()
      onAccess()
    }
  })
  before(streams, 'close', (stream: Stream) => log.beforeClose(stream.nfd))
  before(streams, 'setattr', () => log.settle())
  for (const name of ['setattr', 'rename', 'unlink', 'rmdir']) before(nodes, name, () => log.settle())
  for (const name of ['mknod', 'symlink']) {
    before(nodes, name, (parent: Node) => changedFolders.add(files.realPath(parent)))
  }
}
