import { fill, type HostileTexts } from './hostileTexts.ts'

const numbered = (size: number, piece: (n: number) => string) =>
  Array.from({ length: size / 10 }, (_, n) => piece(n)).join('')

const rss = (rest: string) => `<rss><channel><title>t</title><link>http://a.example.org/</link>${rest}`
const item = (rest: string) => rss(`<item><title>t</title><link>/1</link>${rest}`)
const letters = (count: number) => String.fromCodePoint(...Array.from({ length: count }, (_, n) => 0x4e00 + n))
const bold = (size: number) => fill('<b>', size / 3)

export const hostileFeeds: HostileTexts = {
  'deep nesting': (size) => rss(fill('<d>', size)),
  'deep nesting in an item': (size) => item(fill('<d>', size)),
  'deep nesting in a title': (size) => rss(`<item><title>${bold(size)}x</title><link>/1</link></item>`),
  'deep nesting in a description': (size) => item(`<description>${bold(size)}<img src="x.png"></description></item>`),
  'deep nesting with end tags': (size) => item(fill('<d>', size) + fill('</d>', size)),
  'deep nesting of distinct names': (size) => rss(numbered(size, (n) => `<t${n}>`)),
  'stray end tags': (size) => rss('<d>'.repeat(150) + fill('</e>', size)),
  'items in items': (size) => rss(fill('<item>', size)),
  'items in unknown elements': (size) => item('<x:y>'.repeat(190) + fill('<item>', size)),
  'entries in contents': (size) => `<feed><entry><content>${fill('<entry>', size)}`,
  'nested namespace declarations': (size) => rss(numbered(size, (n) => `<x xmlns:p${n}="u">`)),
  attributes: (size) => `<rss ${numbered(size, (n) => `a${n}=1 `)}>`,
  'less-than signs': (size) => fill('<', size),
  'unclosed tags': (size) => rss(fill('<a ', size)),
  'unclosed comments': (size) => rss(fill('<!--', size)),
  'unclosed CDATA sections': (size) => item(`<description>${fill('<![CDATA[', size)}`),
  'unclosed doctypes': (size) => fill('<!DOCTYPE [>', size),
  instructions: (size) => fill('<?a>', size),
  'unknown entities': (size) => item(numbered(size, (n) => `&x${n};`)),
  'declared entities': (size) =>
    `<!DOCTYPE rss [<!ENTITY aa "${fill('a', 200)}">]>${item(`<description>${fill('&aa;', size)}`)}`,
  'declarations of entities': (size) => `<!DOCTYPE rss [${numbered(size, (n) => `<!ENTITY e${n} "a">`)}]>${item('')}`,
  'blanks in a declaration': (size) => `<!DOCTYPE rss [<!ENTITY${fill(' ', size / 2)}a${fill(' ', size / 2)}`,
  'nested xml:base': (size) =>
    rss(`${'<x xml:base="http://a/b/">'.repeat(190)}${fill('<item><link>1</link></item>', size)}`),
  'invalid links': (size) => item(fill('<link>http://[</link>', size)),
  'white space in a link': (size) => rss(`<item><link>http://a${fill(' ', size)}b</link></item>`),
  'nested media elements': (size) => item(fill('<media:content url="x.jpg">', size)),
  'tags in a title': (size) => rss(`<item><link>/1</link><title>${fill('&lt;b ', size)}</title></item>`),
  'tracking pixels in a description': (size) =>
    item(`<description>${fill('&lt;img src=x width=1&gt;', size)}</description>`),
  'JSON brackets': (size) => `{"items":${fill('[', size)}`,
  'a web page': (size) => `<html>${fill('<p>', size)}`,
  'a width with many blanks': (size) =>
    item(`<media:content url="x.jpg" medium="image" width="1${fill(' ', size / 6)}x"/>`),
  'a long namespace URI that is used often': (size) => `<rss xmlns:x="${fill('a', size)}">${fill('<x:a/>', size / 33)}`,
  'a long xml:base': (size) =>
    rss(`<x xml:base="//a/${fill('b', size)}">${'<item><enclosure url="c.jpg"/></item>'.repeat(500)}`),
  'long non-ASCII host names': (size) =>
    rss(item(fill(`<enclosure url="http://${letters(8000)}/a.jpg"/>`, size / 6)).repeat(3)),
}
