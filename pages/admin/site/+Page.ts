export { SiteScreen as default } from '#src/features/admin/SiteScreen.tsx'
