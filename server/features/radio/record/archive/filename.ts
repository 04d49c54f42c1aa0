import { extensionOf } from '#server/features/radio/record/files.ts'

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
