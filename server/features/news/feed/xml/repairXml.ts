/** Limits repairs, because each repair takes memory. At the limit, the rest of the text is dropped. */
const MAX_FAULTS = 50_000

/**
 * Prepares XML for a tokenizer that treats every `<` as markup. Removes declarations, comments and processing
 * instructions. Escapes each `<` that does not start a tag. Takes linear time.
 */
export function repairXml(text: string): string {
  const pieces: string[] = []
  let from = 0
  let nextGreater = 0
  let doctype = false
  let faults = 0
  let at = text.indexOf('<')
  const drop = (end: number) => {
    pieces.push(text.slice(from, at))
    from = end
    at = text.indexOf('<', end)
  }
  while (at !== -1) {
    const next = text[at + 1]
    if (next === '!') {
      if (text.startsWith('<![CDATA[', at)) at = after(text, ']]>', at)
      else if (text.startsWith('<!--', at)) drop(commentEnd(text, at))
      else if (!doctype && /^<!doctype/i.test(text.slice(at, at + 9))) {
        // Parse only the first doctype: searching the whole text for each unclosed doctype takes too long.
        doctype = true
        drop(doctypeEnd(text, at))
      } else drop(declarationEnd(text, at))
      continue
    }
    if (next === '?') {
      drop(instructionEnd(text, at))
      continue
    }
    if (next !== '/') {
      const following = text.indexOf('<', at + 1)
      if (nextGreater !== -1 && nextGreater <= at) nextGreater = text.indexOf('>', at + 1)
      const unclosed = following !== -1 && (nextGreater === -1 || nextGreater > following)
      if (!isNameStart(next) || (unclosed && !/["']/.test(text.slice(at, following)))) {
        pieces.push(text.slice(from, at), '&lt;')
        from = at + 1
        if (++faults === MAX_FAULTS) return pieces.join('')
      }
      at = following
      continue
    }
    at = text.indexOf('<', at + 1)
  }
  if (from === 0) return text
  pieces.push(text.slice(from))
  return pieces.join('')
}

const isNameStart = (character: string | undefined) =>
  character !== undefined && /[A-Za-z_:\u00c0-\uffff]/.test(character)

function after(text: string, end: string, at: number): number {
  const found = text.indexOf(end, at)
  return found === -1 ? -1 : text.indexOf('<', found)
}

function commentEnd(text: string, at: number): number {
  const end = text.indexOf('-->', at + 2)
  return end === -1 ? text.length : end + 3
}

/** Finds the end of `<?…?>`, or the next `>` if the second question mark is missing. */
function instructionEnd(text: string, at: number): number {
  const next = text.indexOf('<', at + 1)
  const end = text.slice(at, next === -1 ? undefined : next).indexOf('?>')
  if (end !== -1) return at + end + 2
  const greater = text.indexOf('>', at)
  return greater === -1 ? text.length : greater + 1
}

function declarationEnd(text: string, at: number): number {
  const greater = text.indexOf('>', at)
  return greater === -1 ? text.length : greater + 1
}

/** Returns the first document type declaration, or an empty text. */
export function findDoctype(text: string): string {
  const at = text.search(/<!doctype\s/i)
  return at === -1 ? '' : text.slice(at, doctypeEnd(text, at))
}

/** Finds the end of `<!DOCTYPE … [ … ]>`, or the next `>` if a bracket or quote is not closed. */
function doctypeEnd(text: string, at: number): number {
  const end = declarationEnd(text, at)
  const bracket = text.slice(at, end).indexOf('[')
  if (bracket === -1) return end
  const mark = /["'\]]|<!--/g
  mark.lastIndex = at + bracket + 1
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    if (found[0] === ']') return declarationEnd(text, mark.lastIndex)
    // Skip quoted text and comments.
    const closing = found[0] === '<!--' ? '-->' : found[0]
    const closed = text.indexOf(closing, mark.lastIndex)
    if (closed === -1) return end
    mark.lastIndex = closed + closing.length
  }
  return end
}
