/** Separates the nick from the secret of a tripcode in what an author types. */
export const SECRET_MARK = '##'

/** Marks posts that the site writes about broadcasts. No tripcode looks like it: all others have eleven characters. */
export const RADIO_MARK = '!!radio'

/** Exclamation marks, and characters that look like them. */
const BANG = '!¡ǃ‼❕❗❢ꜝ︕﹗！'
const BANGS = new RegExp(`[${BANG}](?:[\\p{Default_Ignorable_Code_Point}\\p{White_Space}\\p{M}]*[${BANG}])+|‼`, 'gu')

/** Shortens exclamation marks to one: two of them mark a tripcode, which only the site writes. */
export const withoutTripcodeMarks = (name: string): string => name.replace(BANGS, '!')

/** A parsed author field; `secret` is null without `##`. */
export function splitAuthor(typed: string): { nick: string; secret: string | null } {
  const at = typed.indexOf(SECRET_MARK)
  if (at < 0) return { nick: withoutTripcodeMarks(typed), secret: null }
  return {
    nick: withoutTripcodeMarks(typed.slice(0, at).trim()),
    secret: typed.slice(at + SECRET_MARK.length).trim(),
  }
}

/** Keeps the mark, so that the form refuses the name until the author types the secret again. */
export const withoutSecret = (typed: string): string => typed.replace(/##.*/s, SECRET_MARK)
