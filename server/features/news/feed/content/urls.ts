import { splitWords, wordSet } from '#server/features/news/feed/xml/namespaces.ts'

const MAX_LENGTH = 2000
/** Limits non-ASCII characters: each becomes `%C3%A9` or longer, and many in a host name are slow to convert. */
const MAX_NON_ASCII = MAX_LENGTH / 6

/** Repairs common mistakes in a URL. @returns null unless the URL is http or https, with at most 2,000 characters */
export function resolveUrl(written: string | undefined, base: URL): URL | null {
  const lines = (written ?? '').slice(0, 4 * MAX_LENGTH).split(/[\r\n]+/)
  // Some feeds have invisible characters around a URL, with which it would be a relative path.
  const joined = lines.map((line) => line.replace(/[\u200b-\u200f\u2060\ufeff]/g, '').trim()).join('')
  // Some feeds escape `&` twice. `&amp;` does not occur in real queries.
  const text = joined.replace(/&(?:amp;|#38;)+/gi, '&')
  if (text === '' || text.startsWith('#')) return null
  if ((text.match(/[\u0080-\uffff]/g)?.length ?? 0) > MAX_NON_ASCII) return null
  // `www.example.org` is a host without a scheme, not a relative path.
  const absolute = /^www\.[^\s/?#]+\.[a-z]{2,}(?:[/?#:]|$)/i.test(text) ? `${base.protocol}//${text}` : text
  // A hostile feed has many bad URLs, and an exception for each would be ten times slower than this check.
  if (!URL.canParse(absolute, base)) return null
  const url = new URL(absolute, base)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  url.username = ''
  url.password = ''
  return url.href.length > MAX_LENGTH ? null : url
}

export const resolveAbsoluteUrl = (written: string | undefined, base: URL) =>
  /^\s*https?:\/\//i.test(written ?? '') ? resolveUrl(written, base) : null

const TRACKING_PREFIXES = splitWords(`
  utm_ mtm_ matomo_ piwik_ pk_campaign pk_kwd pk_keyword pk_source pk_medium pk_content hsa_ _hs __hs at_medium
  at_campaign at_custom oly_ vero_ wt.mc_ wt_mc_ itm_ ns_source ns_mchannel ns_campaign ga_source ga_medium
  ga_campaign fb_action_ fb_ref fb_source
`)
/** Excludes `ref`, `source`, `id`, `from` and `cid`, because some sites select content with them. */
const TRACKING_PARAMETERS = wordSet(`
  fbclid gclid gclsrc dclid gbraid wbraid msclkid yclid ysclid twclid ttclid li_fat_id igshid igsh mc_cid mc_eid
  mkt_tok s_cid s_kwcid cmpid ncid icid ocid smid ref_src ref_url xtor ftag guccounter guce_referrer
  guce_referrer_sig _ga _gl _openstat action_object_map action_type_map action_ref_map spm_id_from rb_clickid
  srsltid epik mibextid trkcampaign
`)

/** Matches parameters that mark feed readers: `partner=rss&emc=rss`, and Medium's `source=rss-----…`. */
const isFeedParameter = (name: string, value: string) =>
  ((name === 'partner' || name === 'emc') && /^rss/i.test(value)) || (name === 'source' && /^rss-{2,}/i.test(value))

function isTrackingParameter(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=', 2)
  const key = name.toLowerCase()
  return (
    TRACKING_PARAMETERS.has(key) ||
    TRACKING_PREFIXES.some((family) => key.startsWith(family)) ||
    isFeedParameter(key, value)
  )
}

/** Removes tracking parameters. */
export function canonicalUrl(link: URL): string {
  const url = new URL(link)
  const parameters = url.search.slice(1).split('&')
  url.search = parameters.filter((parameter) => parameter !== '' && !isTrackingParameter(parameter)).join('&')
  return url.href
}

/** Returns the URL without its fragment. Keeps `#!` fragments, because they select a page. */
export const pageUrl = (url: string): string => url.replace(/#(?!!).*$/, '')
