import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

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

function installPackages(names: string[]): void {
  if (!existsSync('/usr/bin/apt-get')) return
  const prefix = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  // noninteractive, because some packages ask for passwords
  const apt = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq']
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...names]]) {
    const [command = '', ...rest] = [...apt, ...args]
    try {
      execFileSync(command, rest, { stdio: 'ignore', timeout: 8 * 60_000 })
    } catch {
      // findOrInstall checks the result.
    }
  }
}
