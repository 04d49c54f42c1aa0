import { reportUrl } from '#src/contract/reportPaths.ts'

/** Links to the report form for an item of this site. Works without script. */
export function ReportLink({ path, className }: { path: string; className?: string }) {
  return (
    <a className={className} href={reportUrl(path)} rel="nofollow">
      Report
    </a>
  )
}
