import type { PasteFlags } from '#src/contract/paste.ts'

const BURN = 1
const ENCRYPTED = 2
const PASSWORD = 4

export const encodeFlags = ({ burnAfterReading, encrypted, passwordProtected }: PasteFlags): number =>
  (burnAfterReading ? BURN : 0) | (encrypted ? ENCRYPTED : 0) | (encrypted && passwordProtected ? PASSWORD : 0)

export const decodeFlags = (flags: number): PasteFlags => ({
  burnAfterReading: (flags & BURN) !== 0,
  encrypted: (flags & ENCRYPTED) !== 0,
  passwordProtected: (flags & PASSWORD) !== 0,
})
