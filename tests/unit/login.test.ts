import { expect, test } from 'vitest'
import { listSections } from '#src/features/admin/sections.ts'
import { targetAfterLogin } from '#src/features/auth/useLogin.ts'

const sections = listSections().map(({ href }) => href)

test.each([...sections.filter((href) => href.startsWith('/admin')), '/account', '/go-live', '/programs-we-love'])(
  'leads back to %s after the login',
  (path) => expect(targetAfterLogin(path)).toBe(path),
)

test.each([
  '',
  '/',
  '//example.org',
  '/\\example.org',
  'https://example.org/admin',
  '/admin/../..',
  '/admin//x',
  '/account\n',
])('leads to the boards instead of %j', (path) => expect(targetAfterLogin(path)).toBe('/dtpchan'))
