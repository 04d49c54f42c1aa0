import type { TestProject } from 'vitest/node'
import { findOrInstall, findProgram } from './debianPackages.ts'

export type IrcPrograms = { inspircd: string; atheme: string; openssl: string }

declare module 'vitest' {
  interface ProvidedContext {
    /** paths of an IRC server, its services and openssl; null if they cannot be installed */
    irc: IrcPrograms | null
  }
}

/** Finds or installs an IRC server with accounts. If this fails, the tests that need it are skipped. */
export default function setup(project: TestProject): void {
  const programs = findOrInstall(findPrograms, ['inspircd', 'atheme-services', 'openssl'])
  if (!programs) {
    process.stderr.write('Skipping the IRC tests: inspircd, atheme-services and openssl cannot be found or installed\n')
  }
  project.provide('irc', programs)
}

function findPrograms(): IrcPrograms | null {
  const [inspircd, atheme, openssl] = ['inspircd', 'atheme-services', 'openssl'].map(findProgram)
  return inspircd && atheme && openssl ? { inspircd, atheme, openssl } : null
}
