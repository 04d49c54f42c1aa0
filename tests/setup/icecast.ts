import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { TestProject } from 'vitest/node'

export type IcecastPrograms = { icecast: string; ffmpeg: string }

declare module 'vitest' {
  interface ProvidedContext {
    /** paths of Icecast and ffmpeg; null if they cannot be installed */
    icecast: IcecastPrograms | null
  }
}

/** Finds or installs Icecast and ffmpeg. If this fails, the tests that need them are skipped. */
export default function setup(project: TestProject): void {
  const programs = findPrograms() ?? installPrograms()
  if (!programs) process.stderr.write('Skipping the Icecast tests: icecast2 and ffmpeg cannot be found or installed\n')
  project.provide('icecast', programs)
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
  if (!existsSync('/usr/bin/apt-get')) return null
  const prefix = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  // noninteractive, because the icecast2 package asks for passwords
  const apt = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq']
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'icecast2', 'ffmpeg']]) {
    const [command = '', ...rest] = [...apt, ...args]
    try {
      execFileSync(command, rest, { stdio: 'ignore', timeout: 8 * 60_000 })
    } catch {
      // findPrograms checks the result
    }
  }
  return findPrograms()
}
