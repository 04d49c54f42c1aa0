import type { TestProject } from 'vitest/node'
import { isDeep } from '#tests/helpers/depth.ts'
import { findOrInstall, findProgram } from './debianPackages.ts'

export type IcecastPrograms = { icecast: string; ffmpeg: string }

/** programs that stream to the site, apart from ffmpeg; Debian's packages have the same names */
const SOURCE_CLIENTS = ['ezstream', 'ices2', 'darkice', 'liquidsoap', 'curl'] as const
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
  const programs = findOrInstall(findPrograms, ['icecast2', 'ffmpeg'])
  if (!programs) process.stderr.write('Skipping the Icecast tests: icecast2 and ffmpeg cannot be found or installed\n')
  project.provide('icecast', programs)
  project.provide('sourceClients', isDeep ? findClients() : {})
}

function findClients(): Partial<Record<SourceClient, string>> {
  // liquidsoap takes hundreds of megabytes and many seconds, so it is only used where it is installed.
  const small = SOURCE_CLIENTS.filter((name) => name !== 'liquidsoap')
  findOrInstall(() => (small.every(findProgram) ? true : null), small)
  const clients = SOURCE_CLIENTS.flatMap((name) => {
    const path = findProgram(name)
    if (!path) process.stderr.write(`Skipping the tests of ${name}: it cannot be found or installed\n`)
    return path ? [[name, path] as const] : []
  })
  return Object.fromEntries(clients)
}

/** Returns null if a program is missing. */
export function findPrograms(): IcecastPrograms | null {
  const icecast = findProgram('icecast2') ?? findProgram('icecast')
  const ffmpeg = findProgram('ffmpeg')
  return icecast && ffmpeg ? { icecast, ffmpeg } : null
}
