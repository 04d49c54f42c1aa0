import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { ApiScreen } from '#src/features/api/ApiScreen.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('marks the documentation as English on a page in another language', () => {
  vi.stubGlobal('readLanguage', () => 'de')
  const [translated, english] = renderToStaticMarkup(<ApiScreen groups={[]} types={[]} />).split('<div lang="en">')
  expect(translated).toContain('OpenAPI-Dokument')
  expect(english).toContain('Answers are')
})
