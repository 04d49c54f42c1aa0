export default { siteUrl: '' }
