import type { Backups, Storage } from '#src/contract/operations.ts'
import { t } from '#src/i18n/t.ts'
import { formatBytes } from '#src/lib/formatBytes.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { Alert } from '#src/ui/Alert.tsx'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { type Fact, Facts } from '#src/ui/admin/Rows.tsx'
import { RelativeTime } from '#src/ui/Time.tsx'
import { formatSeconds, Section, StoredKinds } from './screenParts.tsx'

export function StorageScreen() {
  const query = usePrivateQuery(['storage'], (client) => client.site.operations.storage.query())
  return (
    <QueryResult query={query} failed={t('admin.storageFailed')}>
      {(storage) => (
        <div className="stack">
          <Section title={t('admin.quotas')}>
            <StoredKinds stored={storage.stored} />
          </Section>
          <Section title={t('admin.disk')}>
            <Facts facts={diskFacts(storage)} />
          </Section>
          <Section title={t('admin.backups')}>
            <Facts facts={backupFacts(storage.backups)} />
            {storage.backups.error && <Alert>{storage.backups.error}</Alert>}
          </Section>
        </div>
      )}
    </QueryResult>
  )
}

const diskFacts = ({ files, databaseBytes, freeDiskBytes }: Storage): Fact[] => [
  [t('admin.files'), `${files.count}, ${formatBytes(files.bytes)}`],
  [t('admin.database'), formatBytes(databaseBytes)],
  [t('admin.freeDisk'), freeDiskBytes === null ? t('ui.unknown') : formatBytes(freeDiskBytes)],
]

function backupFacts({ everySeconds, keep, count, bytes, last, error }: Backups): Fact[] {
  const newest: Fact[] = last
    ? [
        [t('admin.lastBackup'), <RelativeTime key="last" date={last.at} />],
        [t('player.size'), t('admin.backupVerified', { size: formatBytes(last.bytes) })],
      ]
    : [[t('admin.lastBackup'), t('admin.backupNone')]]
  if (everySeconds === null) return [[t('admin.backupSchedule'), t('admin.backupOff')], ...(last ? newest : [])]
  const schedule: Fact = [t('admin.backupSchedule'), t('admin.backupEvery', { duration: formatSeconds(everySeconds) })]
  // The folder may be unreadable: then nothing is known of its backups.
  if (error !== null && last === null) return [schedule]
  return [
    schedule,
    ...newest,
    [t('admin.backupStored'), t('admin.backupsKept', { count, keep, size: formatBytes(bytes) })],
  ]
}
