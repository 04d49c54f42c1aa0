import type { FilterEffect, FilterField, FilterKind } from '#src/contract/moderation.ts'

type KindText = { label: string; field: string; hint: string; placeholder: string }

export const kindTexts: Record<FilterKind, KindText> = {
  literal: {
    label: 'Text',
    field: 'Text',
    hint: 'Found anywhere, in upper or lower case, and with other forms of the same letters. White space is flexible.',
    placeholder: 'cheap pills',
  },
  pattern: {
    label: 'Pattern',
    field: 'Pattern',
    hint: 'A regular expression in RE2 syntax. It ignores case; (?-i) at its start does not.',
    placeholder: '\\bv[i1!]agra\\b',
  },
  domain: {
    label: 'Domain',
    field: 'Domain',
    hint: 'Found in links and texts, with all its subdomains.',
    placeholder: 'spam.example',
  },
}

export const fieldTexts: Record<FilterField, { label: string; hint: string }> = {
  post: { label: 'Posts', hint: 'Title, content and links.' },
  name: { label: 'Names', hint: 'Usernames of posts.' },
  paste: { label: 'Pastes', hint: 'Before they are encrypted here.' },
}

export const effectTexts: Record<FilterEffect, { label: string; hint: string }> = {
  refuse: { label: 'Refuse', hint: 'The author reads the message, and can change the text.' },
  hold: { label: 'Hold for review', hint: 'Only the author and moderators see the post. Pastes are refused.' },
}
