export default { siteUrl: '', submittedForm: null }
