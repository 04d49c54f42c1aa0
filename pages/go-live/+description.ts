export default 'Settings, level test and account for those who stream to the radio.'
