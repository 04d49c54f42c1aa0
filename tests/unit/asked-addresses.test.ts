import { expect, test } from 'vitest'
import { decodableUrl } from '#server/plugins/unreadable.ts'

test.each([
  ['/', '/'],
  ['/about?a=/\\b&c=%zz', '/about?a=/\\b&c=%zz'],
  ['/caf%C3%A9/', '/caf%C3%A9/'],
  ['/%zz/%41', '/%25zz/%2541'],
  ['/\\evil.example/', '/%5Cevil.example/'],
  ['\\/evil.example/', '%5C/evil.example/'],
  // as a proxy is asked
  ['http://evil.example/about/', '/about/'],
  ['HTTPS://evil.example?x', '/?x'],
  ['http://evil.example//about', '//about'],
  ['*', '*'],
])('%s is read as %s', (url, read) => {
  expect(decodableUrl(url)).toBe(read)
})
