import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/sbin', '/usr/local/bin']
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** Returns the programs, after installing Debian packages if some are missing; null if they cannot be installed. */
export function findOrInstall<Programs>(find: () => Programs | null, packages: string[]): Programs | null {
  const found = find()
  if (found) return found
  installPackages(packages)
  return find()
}

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url))
const UNPACK_MS = 2 * 60_000

/**
 * Returns the path of a server, or unpacks Debian's package without installing it: an installed one would start the
 * server.
 * @param path of the program in the package
 * @returns null if it cannot be downloaded
 */
export function findOrUnpack(name: string, path: string): string | null {
  const folder = join(CACHE, name)
  const unpacked = join(folder, path)
  const found = findProgram(name) ?? (existsSync(unpacked) ? unpacked : null)
  if (found) return found
  try {
    mkdirSync(folder, { recursive: true })
    const options = { cwd: folder, stdio: 'ignore', timeout: UNPACK_MS } as const
    execFileSync('apt-get', ['-qq', 'download', name], options)
    const archive = readdirSync(folder).find((file) => file.endsWith('.deb')) ?? ''
    execFileSync('dpkg-deb', ['-x', archive, '.'], options)
  } catch {
    // The caller reports the missing program.
  }
  return existsSync(unpacked) ? unpacked : null
}

/** Global, because each project loads this module again. */
const shared = globalThis as { hasPackageLists?: boolean }

function installPackages(names: string[]): void {
  if (!existsSync('/usr/bin/apt-get')) return
  const prefix = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  // noninteractive, because some packages ask for passwords
  const apt = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq']
  const update = shared.hasPackageLists ? [] : [['update']]
  shared.hasPackageLists = true
  for (const args of [...update, ['install', '-y', '--no-install-recommends', ...names]]) {
    const [command = '', ...rest] = [...apt, ...args]
    try {
      execFileSync(command, rest, { stdio: 'ignore', timeout: 8 * 60_000 })
    } catch {
      // findOrInstall checks the result.
    }
  }
}
