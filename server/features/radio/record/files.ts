import { resolve } from 'node:path'
import type { Config } from '#server/core/config/config.ts'

export const RECORDINGS_FOLDER = 'recordings'

/** Names of other files are never touched: operators may keep music in a folder with this name. */
const NAME = /^(\d{1,10})-(\d{1,4})\.(mp3|aac|ogg)$/

const EXTENSIONS: Record<string, string> = { 'audio/mpeg': 'mp3', 'audio/aac': 'aac', 'audio/ogg': 'ogg' }

/** Returns the usual ending of files of a media type. */
export const extensionOf = (type: string): string => EXTENSIONS[type] ?? 'mp3'

export const isRecordable = (type: string): boolean => type in EXTENSIONS

export const recordingsDir = ({ dataDir }: Pick<Config, 'dataDir'>): string =>
  resolve(dataDir, 'radio', RECORDINGS_FOLDER)

export const isRecordingFile = (name: string): boolean => NAME.test(name)

export const recordingFile = (broadcastId: number, part: number, type: string): string =>
  `${broadcastId}-${part}.${extensionOf(type)}`

export const broadcastIdOf = (name: string): number => Number(NAME.exec(name)?.[1] ?? 0)

/** Returns the number of the part, or 0 if there is no file. */
export const partOf = (name: string | null): number => Number(NAME.exec(name ?? '')?.[2] ?? 0)

/** Limits characters in a file name: file systems allow 255 bytes, and a character takes up to four bytes. */
const MAX_NAME_LENGTH = 48

const UNSAFE_CHARACTERS = /[\s\p{C}\p{Zl}\p{Zp}<>:"/\\|?*;%]+/gu

export function createRecordingFilename(streamer: string, start: Date, type = 'audio/mpeg'): string {
  const fit = [...streamer.toWellFormed().replace(UNSAFE_CHARACTERS, '_')].slice(0, MAX_NAME_LENGTH).join('')
  const name = fit.replace(/^[._]+|[._]+$/g, '') || 'broadcast'
  const [day = ''] = start.toISOString().split('T')
  return `${name}_${day.split('-').reverse().join('-')}.${extensionOf(type)}`
}

/** Returns a Content-Disposition header with an ASCII name. Adds the full name if it differs (RFC 6266). */
export function createContentDisposition(filename: string): string {
  const ascii = filename
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\w.+()@-]+/g, '_')
  const plain = `attachment; filename="${ascii}"`
  return ascii === filename ? plain : `${plain}; filename*=UTF-8''${encodeRfc8187(filename)}`
}

/** Percent-encodes as in RFC 8187, including `'`, `(`, `)` and `*`, which encodeURIComponent keeps. */
const encodeRfc8187 = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
