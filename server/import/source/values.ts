import type { ImportedBoard, ReportProblem } from '#server/import/types.ts'
import { CAPCODES, type Capcode } from '#src/contract/post.ts'

/** Limits numbers: one post with a huge number would use up the site's numbers. */
const MAX_NUMBER = 1e12
/** the last time that a Date can have */
const MAX_TIME_MS = 8.64e15

export type Fields = Record<string, unknown>

/** Parses JSON. Programs for Windows begin it with a byte order mark. */
export const parseJson = (text: string): unknown => JSON.parse(text.replace(/^\ufeff/, ''))

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const asObjects = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isObject) : [])

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Parses the number of a post or thread, which some formats write as a text. Returns null for any other value. */
export function asNumber(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number > 0 && number <= MAX_NUMBER ? number : null
}

export const asFlag = (value: unknown): boolean => value === true || Number(value) > 0

/** Returns undefined for a field that the source does not have. */
export const asKnownFlag = (value: unknown): boolean | undefined => (value === undefined ? undefined : asFlag(value))

/** @param ms since 1970 @returns a valid date, which can be in the future */
export function asTime(ms: number): Date | null {
  return Number.isFinite(ms) && ms > 0 ? new Date(Math.min(Math.floor(ms), MAX_TIME_MS)) : null
}

export const asSeconds = (value: unknown): number =>
  value === null || value === '' ? Number.NaN : Number(value) * 1000

/** Names of files must not point outside the source's folder. */
export const isFileName = (name: string) => /^[\w-][\w.-]{0,199}$/.test(name)

/** Names of boards are parts of paths and URLs. */
export const isBoardName = (name: string) =>
  /^[\w$\p{L}\p{N}][\w$\p{L}\p{M}\p{N}.+-]{0,63}$/u.test(name) && !name.includes('..')

const CAPCODE = /^(?:##\s*)?(mod|admin)(?:erator|istrator|_highlight)?$/i

/**
 * Reads what old boards show beside each other. A code without its mark would look like a name that anybody can type.
 * @returns `codes`: the tripcode, and a capcode that this site does not have
 */
export function readAuthor(name: string, tripcode: string, given: string) {
  const known = CAPCODE.exec(given.trim())?.[1]?.toLowerCase()
  const capcode: Capcode | null = CAPCODES.find((one) => one === known) ?? null
  const codes = [marked('!', tripcode.trim()), capcode ? '' : marked('## ', given.trim())].filter(Boolean).join(' ')
  return { author: name.trim(), codes, capcode }
}

const marked = (mark: string, code: string) => (code === '' || code.startsWith(mark.trim()) ? code : mark + code)

/** Reports boards whose names are not valid, and returns the others. */
export const withValidNames = (boards: ImportedBoard[], report: ReportProblem): ImportedBoard[] =>
  boards.filter(({ name }) => {
    if (!isBoardName(name)) report(`/${name}/`, 'board left out: its name is not valid')
    return isBoardName(name)
  })

/** Returns the wanted boards, or all listed boards if none are wanted. A board that is not listed has its name as title. */
export function selectBoards(listed: ImportedBoard[], wanted: string[]): ImportedBoard[] {
  const names = new Set(wanted.length > 0 ? wanted : listed.map(({ name }) => name))
  return [...names].map((name) => listed.find((board) => board.name === name) ?? { name, title: name, description: '' })
}
