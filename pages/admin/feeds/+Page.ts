export { FeedsScreen as default } from '#src/features/admin/FeedsScreen.tsx'
