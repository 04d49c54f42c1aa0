import type { GetICUArgs } from '@schummar/icu-type-parser'
import type * as en from './en/index.ts'

type English = typeof en
type Namespace = keyof English & string

/** A complete translation. */
export type Catalogue = { [N in Namespace]: { [K in keyof English[N]]: string } }

/** For example 'board.reply'. */
export type TextKey = { [N in Namespace]: `${N}.${keyof English[N] & string}` }[Namespace]

type TextOf<K extends TextKey> = K extends `${infer N}.${infer Name}`
  ? N extends Namespace
    ? Name extends keyof English[N]
      ? English[N][Name] & string
      : never
    : never
  : never

export type TextValue = string | number
type ValuesOf<K extends TextKey> = GetICUArgs<TextOf<K>, { ICUArgument: TextValue; ICUNumberArgument: number }>

/** No parameter for a text without placeholders. */
export type TextValues<K extends TextKey> = keyof ValuesOf<K> extends never ? [] : [values: ValuesOf<K>]
