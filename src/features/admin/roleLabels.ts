import type { Role } from '#src/contract/auth.ts'
import { t } from '#src/i18n/t.ts'

export const roleLabels: Record<Role, () => string> = {
  admin: () => t('admin.roleAdmin'),
  member: () => t('admin.roleMember'),
}
