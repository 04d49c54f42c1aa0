import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { TestProject } from 'vitest/node'

export type IcecastPrograms = { icecast: string; ffmpeg: string }

/** programs that stream to the site, apart from ffmpeg; Debian's packages have the same names */
const SOURCE_CLIENTS = ['ezstream', 'ices2', 'liquidsoap', 'curl'] as const
export type SourceClient = (typeof SOURCE_CLIENTS)[number]

declare module 'vitest' {
  interface ProvidedContext {
    /** paths of Icecast and ffmpeg; null if they cannot be installed */
    icecast: IcecastPrograms | null
    /** paths of the source clients that are installed */
    sourceClients: Partial<Record<SourceClient, string>>
  }
}

/** Finds or installs Icecast and ffmpeg. If this fails, the tests that need them are skipped. */
export default function setup(project: TestProject): void {
  const programs = findPrograms() ?? installPrograms()
  if (!programs) process.stderr.write('Skipping the Icecast tests: icecast2 and ffmpeg cannot be found or installed\n')
  project.provide('icecast', programs)
  // liquidsoap takes hundreds of megabytes and many seconds, so it is only used where it is installed.
  const missing = SOURCE_CLIENTS.filter((name) => name !== 'liquidsoap' && !find(name))
  if (missing.length > 0) install(missing)
  const clients = SOURCE_CLIENTS.flatMap((name) => {
    const path = find(name)
    if (!path) process.stderr.write(`Skipping the tests of ${name}: it cannot be found or installed\n`)
    return path ? [[name, path] as const] : []
  })
  project.provide('sourceClients', Object.fromEntries(clients))
}

/** Returns null if a program is missing. */
export function findPrograms(): IcecastPrograms | null {
  const icecast = find('icecast2') ?? find('icecast')
  const ffmpeg = find('ffmpeg')
  return icecast && ffmpeg ? { icecast, ffmpeg } : null
}

function find(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

function installPrograms(): IcecastPrograms | null {
  install(['icecast2', 'ffmpeg'])
  return findPrograms()
}

function install(packages: string[]): void {
  if (!existsSync('/usr/bin/apt-get')) return
  const prefix = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  // noninteractive, because the icecast2 package asks for passwords
  const apt = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq']
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const [command = '', ...rest] = [...apt, ...args]
    try {
      execFileSync(command, rest, { stdio: 'ignore', timeout: 8 * 60_000 })
    } catch {
      // The caller looks for the programs.
    }
  }
}
