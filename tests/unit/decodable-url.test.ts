import { expect, test } from 'vitest'
import { decodableUrl, isDevServerUrl } from '#server/plugins/protection/malformedRequests.ts'

test.each([
  ['/about', '/about'],
  ['/about?x=%', '/about?x=%'],
  ['/about?a=/\\b&c=%zz', '/about?a=/\\b&c=%zz'],
  ['/caf%C3%A9/', '/caf%C3%A9/'],
  ['/%zz/%41', '/%25zz/%2541'],
  ['/%E0%A4%A?x', '/%25E0%25A4%25A?x'],
  // absolute URLs, as in requests to a proxy
  ['http://example.org/about', '/about'],
  ['http://example.org//about', '//about'],
  ['HTTPS://example.org', '/'],
  ['/\\\\example.org/', '/%5C%5Cexample.org/'],
  ['\\/example.org/', '/%5C/example.org/'],
  ['*', '/*'],
  ['?x', '/?x'],
  ['', '/'],
  ['/a?b?c&d', '/a?b?c&d'],
])('%s is taken as %s', (url, expected) => {
  expect(decodableUrl(url)).toBe(expected)
})

test('reads only the first hundred of thousands of query fields', () => {
  const fields = Array.from({ length: 5000 }, (_, index) => `a=${index}`)
  expect(decodableUrl(`/login?${fields.join('&')}`)).toBe(`/login?${fields.slice(0, 100).join('&')}`)
})

test.each([
  ['/@fs/etc/passwd', true],
  ['/%40fs/?x', true],
  ['/@vite/client', true],
  ['/__vite_ping', true],
  ['/about?x=/@fs/', false],
  ['/x/@fs/', false],
])('%s is for a development server: %s', (url, expected) => {
  expect(isDevServerUrl(url)).toBe(expected)
})
