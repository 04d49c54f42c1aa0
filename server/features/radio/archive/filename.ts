/** Longest part of a file's name that is the streamer's; systems take 255 bytes, of which a character can be four. */
const MAX_NAME_LENGTH = 48

/** Refused in names of files by one system or another, or no part of a word: controls, slashes, marks of direction. */
const UNSAFE_CHARACTERS = /[\s\p{C}\p{Zl}\p{Zp}<>:"/\\|?*;%]+/gu

/** The name a recording is saved under: streamer_dd-mm-yyyy.mp3, the day in UTC, whatever the streamer is called. */
export function createRecordingFilename(streamer: string, start: Date): string {
  const fit = [...streamer.toWellFormed().replace(UNSAFE_CHARACTERS, '_')].slice(0, MAX_NAME_LENGTH).join('')
  const name = fit.replace(/^[._]+|[._]+$/g, '') || 'broadcast'
  const [day = ''] = start.toISOString().split('T')
  return `${name}_${day.split('-').reverse().join('-')}.mp3`
}

/** A Content-Disposition header that saves under a name: in ASCII, and whole where that is another (RFC 6266). */
export function createContentDisposition(filename: string): string {
  const ascii = filename
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\w.+()@-]+/g, '_')
  const plain = `attachment; filename="${ascii}"`
  return ascii === filename ? plain : `${plain}; filename*=UTF-8''${encodeRfc8187(filename)}`
}

/** Percent-encoding as RFC 8187 wants it: of the marks encodeURIComponent leaves, these are none of an attr-char. */
const encodeRfc8187 = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
