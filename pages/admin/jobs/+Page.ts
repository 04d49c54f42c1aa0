export { JobsScreen as default } from '#src/features/admin/JobsScreen.tsx'
