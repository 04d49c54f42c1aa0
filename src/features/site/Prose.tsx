import styles from './Prose.module.css'

/** @param html rendered from Markdown by the server, without HTML of the author */
export function Prose({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the Markdown renderer escapes HTML
  return <div className={styles.prose} dangerouslySetInnerHTML={{ __html: html }} />
}
