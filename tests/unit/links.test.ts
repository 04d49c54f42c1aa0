import { expect, test } from 'vitest'
import { linksField } from '#src/contract/links.ts'
import { refusal } from '#src/contract/refusal.ts'

const web = 'https://example.org/'

test.each([
  web,
  '[',
  `["${web}"`,
  `['${web}']`,
  'null',
  '5',
  '{}',
  `{"0":"${web}","length":1}`,
  `"${web}"`,
  `[["${web}"]]`,
  '[5]',
  '[null]',
  '[""]',
  `["${web}", ""]`,
  '[" "]',
  '["example.org"]',
  '["/path"]',
  '["//example.org"]',
  '["https:/example.org"]',
  '["https:example.org"]',
  '["https://"]',
  '["https:///example.org"]',
  '["https:\\\\\\\\example.org"]',
  '["http://[::1"]',
  '["http://example.org:99999"]',
  '["javascript:alert(1)"]',
  '["java\\nscript:alert(1)"]',
  '["data:text/html,x"]',
  '["ftp://example.org/"]',
  '["file:///etc/passwd"]',
  '["blob:https://example.org/1"]',
  '["https://exa mple.org"]',
  '["https://example.org/a b"]',
  '["https://example.org/a\\nb"]',
  '["https://example.org/\\u0007"]',
  '["https://example.org/\\u0000"]',
  '["https://example.org/\\ud800"]',
  '["https://example.org/\\u2028x"]',
  '[{"href":"https://example.org"}]',
])('refuses the links %s', (links) => {
  const { error } = linksField.safeParse(links)
  expect(error?.issues[0]?.message).toBe(refusal('board.linksInvalid'))
})
