import type { TestProject } from 'vitest/node'
import { findOrInstall, findProgram } from './debianPackages.ts'

export type IcecastPrograms = { icecast: string; ffmpeg: string }

declare module 'vitest' {
  interface ProvidedContext {
    /** paths of Icecast and ffmpeg; null if they cannot be installed */
    icecast: IcecastPrograms | null
  }
}

/** Finds or installs Icecast and ffmpeg. If this fails, the tests that need them are skipped. */
export default function setup(project: TestProject): void {
  const programs = findOrInstall(findPrograms, ['icecast2', 'ffmpeg'])
  if (!programs) process.stderr.write('Skipping the Icecast tests: icecast2 and ffmpeg cannot be found or installed\n')
  project.provide('icecast', programs)
}

/** Returns null if a program is missing. */
export function findPrograms(): IcecastPrograms | null {
  const icecast = findProgram('icecast2') ?? findProgram('icecast')
  const ffmpeg = findProgram('ffmpeg')
  return icecast && ffmpeg ? { icecast, ffmpeg } : null
}
