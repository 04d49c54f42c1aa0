/** Separates the nick from the secret of a tripcode: one or two `#`, also as keyboards for Chinese and Japanese type them. */
const SECRET_MARK = /[#＃﹟]{1,2}/u

/** Marks posts that the site writes about broadcasts. No tripcode looks like it: all others have eleven characters. */
export const RADIO_MARK = '!!radio'

/** Exclamation marks, and characters that look like them. */
const BANG = '!ǃⵑ‼❕❗❢❣ꜝ︕﹗！'
const HIDDEN = '\\p{Default_Ignorable_Code_Point}\\p{M}'
const BANGS = new RegExp(`[${BANG}](?:[${HIDDEN}\\p{White_Space}]*[${BANG}])+|‼`, 'gu')

/** Shortens exclamation marks to one: two of them mark a tripcode of this site. */
export const withoutTripcodeMarks = (name: string): string => name.replace(BANGS, '!')

/**
 * Matches what looks like a tripcode: an exclamation mark at the start or after a space with a letter or digit anywhere
 * behind it, or one before eight characters of a code (`Bob!ozOtJW9BFA`). Also matches look-alikes of `##`, as in
 * `Bob ♯♯ Mod`.
 */
const CODE = new RegExp(
  `(?:^|[\\s\\u2800])[${BANG}].*[\\p{L}\\p{N}]|[${BANG}]\\s*[\\p{L}\\p{N}./+]{8}|[♯⌗⋕⧣]\\s*[♯⌗⋕⧣]`,
  'su',
)

/** Returns whether a nick looks like the names of imported posts, which contain their codes. */
export const hasCode = (nick: string): boolean =>
  CODE.test(nick.normalize('NFKC').replace(new RegExp(`[${HIDDEN}]`, 'gu'), ''))

/** A parsed author field; `secret` is null without `#`. */
export function splitAuthor(typed: string): { nick: string; secret: string | null } {
  const mark = SECRET_MARK.exec(typed)
  if (!mark) return { nick: withoutTripcodeMarks(typed), secret: null }
  return {
    nick: withoutTripcodeMarks(typed.slice(0, mark.index).trim()),
    secret: typed.slice(mark.index + mark[0].length).trim(),
  }
}

/** Returns the name of an author with the code of the secret, as plain text. */
export const signatureOf = ({ author, tripcode }: { author: string; tripcode: string | null }): string =>
  tripcode === null ? author : `${author} ${tripcode}`

/** Keeps the mark, so that the form refuses the name until the author types the secret again. */
export function withoutSecret(typed: string): string {
  const mark = SECRET_MARK.exec(typed)
  return mark ? typed.slice(0, mark.index + mark[0].length) : typed
}
