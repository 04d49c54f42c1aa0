import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { type Language, languages } from '../src/contract/languages.ts'
import { compiledText } from '../src/i18n/messages.ts'

const SOURCE = '#src/i18n/t.ts'
const IN_BROWSERS = join(import.meta.dirname, '../src/i18n/t.browser.ts')

/** Matches the start of a call, with the closing parenthesis if the text has no values. */
const CALL = /(?<![\w.])(t|rich)\(\s*(?:'(\w+\.\w+)'(,?\s*\))?)?/g
/** A minifier neither renames nor evaluates the call of an unknown function. */
const PLACEHOLDER = /__text\(([`"'])(\w+\.\w+)\1\)/g
/** Paths of scripts in the list of files that a module preloads. */
const PRELOADED = /(?<=["'`])assets\/(?=(?:chunks|entries)\/[^"'`]+\.js["'`])/g

/**
 * Replaces the keys of texts in scripts for browsers by the texts themselves, so a script contains only the texts that it
 * uses. The folder `assets` has the English scripts, `assets/de` the German ones with the same names. Scripts without a
 * text exist only in `assets`.
 */
export function texts(): Plugin {
  return {
    name: 'texts',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    resolveId: { order: 'pre', handler: (source) => (source === SOURCE ? IN_BROWSERS : undefined) },
    transform: {
      order: 'pre',
      handler: (code, id) => (code.includes(SOURCE) ? { code: replaceKeys(code, id), map: null } : undefined),
    },
    // The names of files contain a hash of their content, which changes with the text in any language.
    augmentChunkHash: (chunk) => hashTexts(Object.values(chunk.modules).map((module) => module.code ?? '')),
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === 'chunk') addLanguages(file, (more) => this.emitFile(more))
      },
    },
  }
}

function replaceKeys(code: string, id: string): string {
  return code.replace(CALL, (_call, name, key: string | undefined, end: string | undefined) => {
    if (key === undefined)
      throw new Error(`${id}: the key of a text must be a string, so that the build can replace it`)
    const placeholder = `/* @__PURE__ */ __text('${key}')`
    return end ? placeholder : `${name}(${placeholder}`
  })
}

const hashTexts = (code: string[]): string =>
  createHash('sha256')
    .update(languages.map((language) => code.map((one) => replaceTexts(one, language)).join()).join())
    .digest('base64url')

function addLanguages(chunk: Rolldown.OutputChunk, emit: (file: Rolldown.EmittedAsset) => void): void {
  const { code, fileName } = chunk
  chunk.code = replaceTexts(code, 'en')
  for (const language of languages.filter((one) => one !== 'en')) {
    const source = replaceTexts(code, language).replace(PRELOADED, `assets/${language}/`)
    if (source !== chunk.code)
      emit({ type: 'asset', fileName: fileName.replace(/^assets\//, `$&${language}/`), source })
  }
}

const replaceTexts = (code: string, language: Language): string =>
  code.replace(PLACEHOLDER, (_call, _quote, key: string) => JSON.stringify(compiledText(key, language)))
