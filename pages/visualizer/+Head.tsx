import { usePageContext } from 'vike-react/usePageContext'

/** The one address of a page, whatever its query says; in HTML only, where the site's origin is known. */
export default function Head() {
  const { siteUrl, urlPathname } = usePageContext()
  return siteUrl ? <link rel="canonical" href={`${siteUrl}${urlPathname}`} /> : null
}
