import type { FilterEffect, FilterField, FilterKind } from '#src/contract/moderation.ts'

type KindText = { label: string; field: string; hint: string; placeholder: string }

export const kindTexts: Record<FilterKind, KindText> = {
  literal: {
    label: 'Text',
    field: 'Text',
    hint: "Found anywhere. Case, spacing and styled letters such as fullwidth ones don't matter.",
    placeholder: 'cheap pills',
  },
  pattern: {
    label: 'Pattern',
    field: 'Pattern',
    hint: 'A regular expression in RE2 syntax. It ignores case unless it starts with (?-i).',
    placeholder: '\\bv[i1!]agra\\b',
  },
  domain: {
    label: 'Domain',
    field: 'Domain',
    hint: 'Found in links and texts, including subdomains.',
    placeholder: 'spam.example',
  },
}

export const fieldTexts: Record<FilterField, { label: string; hint: string }> = {
  post: { label: 'Posts', hint: 'Title, content and links.' },
  name: { label: 'Names', hint: 'Usernames of posts.' },
  paste: { label: 'Pastes', hint: 'Checked before the server encrypts them.' },
}

export const effectTexts: Record<FilterEffect, { label: string; hint: string }> = {
  refuse: { label: 'Refuse', hint: 'The author sees the message and can change the text.' },
  hold: { label: 'Hold for review', hint: 'Only the author and moderators see the post. Pastes are refused.' },
}
