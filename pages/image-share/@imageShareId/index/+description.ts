export default 'A shared image. The link expires.'
