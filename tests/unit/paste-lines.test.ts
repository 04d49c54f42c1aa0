import { describe, expect, test } from 'vitest'
import { guessLanguage } from '#server/features/paste/guessLanguage.ts'
import { highlight } from '#server/features/paste/highlight.ts'
import { highlightStyles, type PasteLanguage, pasteLanguages } from '#src/contract/paste.ts'
import { countLines, type LineClasses, renderLines } from '#src/features/paste/renderLines.ts'
import { fc } from '#tests/helpers/property.ts'

const classes: LineClasses = { line: 'line', lineNumber: 'lineNumber' }
const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"' }
/** Returns the visible text. */
const shown = (html: string) => html.replace(/<[^>]*>/g, '').replace(/&\w+;/g, (entity) => entities[entity] ?? '?')

describe('renderLines', () => {
  test('renders each line with a link', () => {
    expect(renderLines('a\n\nb', [], classes)).toBe(
      [1, 2, 3]
        .map((line) => {
          const text = ['a\n', '\n', 'b'][line - 1]
          return `<span class="line" id="L${line}"><a class="lineNumber" href="#L${line}" data-line="${line}" tabindex="-1" aria-label="Line ${line}"></a>${text}</span>`
        })
        .join(''),
    )
  })

  test('continues highlights across line ends', () => {
    const html = renderLines('a/*\n*/b', [1, 0, 5, highlightStyles.indexOf('comment'), 1, 0], classes)
    expect(html).toContain('a<span class="hl-comment">/*</span>\n</span>')
    expect(html).toContain('<span class="hl-comment">*/</span>b</span>')
  })

  test('treats CRLF as one line end, even if a highlight ends inside it', () => {
    for (const highlights of [[], [1, 0], [2, 0, 1, 1], [0, 1, 2, 2, 1, 0], [1, 0, 0, 1, 1, 0, 1, 2]]) {
      const html = renderLines('a\r\nb', highlights, classes)
      expect(shown(html), String(highlights)).toBe('a\nb')
    }
  })

  test.each([
    ['', 0],
    ['a', 1],
    ['a\n', 1],
    ['a\nb', 2],
    ['\n\n', 2],
    ['a\r\nb\r\n', 2],
  ])('counts the lines of %j: %i', (text, lines) => {
    expect(countLines(text)).toBe(lines)
    expect(renderLines(text, [], classes).match(/data-line/g)?.length ?? 0).toBe(lines)
  })

  test('escapes any text with any highlights', () => {
    const text = fc.string({
      unit: fc.constantFrom('<', '>', '&', '"', "'", 'a', '\n', '\r', '\0', '&lt;', '</span>', '😀'),
    })
    fc.assert(
      fc.property(text, fc.array(fc.nat(20), { maxLength: 20 }), (content, highlights) => {
        const html = renderLines(content, highlights, classes)
        const rest = html.replace(
          /<span (class="[\w-]+"|id="L\d+"|data-hue="\d+"| )+>|<\/span>|<a class="lineNumber" [^<>]*><\/a>/g,
          '',
        )
        expect(rest).not.toMatch(/[<>\0\r]/)
        const visible = content.replace(/\r\n/g, '\n').replaceAll('\0', '␀').replaceAll('\r', '␍')
        expect(shown(html)).toBe(visible)
      }),
    )
  })

  test('omits line numbers for a text with very many lines', () => {
    expect(renderLines('\n'.repeat(20_001), [], classes)).toBe('\n'.repeat(20_001))
  })
})

describe('highlighting', () => {
  test('covers the whole text in every language', () => {
    const text = '<?php /* a & b */ if (x < 1) { return "s" + \'t\' } # c\n- 1: [2, 3]\n@@ -1 +1 @@\n+é😀\n'
    for (const language of Object.keys(pasteLanguages) as PasteLanguage[]) {
      const highlights = highlight(text, language)
      expect(highlights.filter((_, at) => at % 2 === 0).reduce((sum, length) => sum + length, 0)).toBe(text.length)
      expect(highlights.filter((_, at) => at % 2 === 1).every((mark) => mark < highlightStyles.length)).toBe(true)
    }
  })

  test.each<[PasteLanguage | null, string]>([
    ['bash', '#!/bin/sh\nset -e\n'],
    ['c', '#include <stdio.h>\nint main(void) { return 0; }\n'],
    ['cpp', '#include <iostream>\nint main() { std::cout << 1; }\n'],
    ['diff', '--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n'],
    ['go', 'package main\n\nimport "fmt"\n\nfunc main() {}\n'],
    ['json', '{"a": [1, 2]}'],
    ['python', 'def main():\n    pass\n'],
    ['rust', 'fn main() {\n    println!("x");\n}\n'],
    ['sql', 'SELECT a\nFROM b;\n'],
    ['typescript', 'export interface A { b: string }\n'],
    ['javascript', 'const a = require("b")\n'],
    ['xml', '<!doctype html>\n<p>x</p>\n'],
    ['ini', '[server]\nport=80\n'],
    ['yaml', 'a: 1\nb: 2\nc:\n  - d\n'],
    [null, 'I will select one from the list, and import it. It is a class of its own: define nothing.\n'],
    [null, '[12:30:11] <gl1tch> hello\n[12:30:12] <ferrite> hi\n'],
    [null, ''],
  ])('guesses the language %s', (language, text) => {
    expect(guessLanguage(text)).toBe(language)
  })
})
