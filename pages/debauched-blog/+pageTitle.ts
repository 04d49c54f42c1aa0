export default 'Debauched Blog'
