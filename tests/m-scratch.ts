import sharp from 'sharp'
import { processImage } from '#server/core/images.ts'
import { noise, animation, still } from '#tests/helpers/pictures.ts'
const places={preview:{width:800,height:200},display:{width:800,height:500}}
async function t(n:string,b:Buffer){ const a=performance.now(); const c=process.cpuUsage(); let r:string; try{const x=await processImage(b,places); r=`${x.original.length} prev ${x.preview.bytes.length} disp ${x.display.bytes.length} ${x.display.width}x${x.display.height}`}catch(e){r=String(e)} console.log(n.padEnd(22),b.length,(performance.now()-a|0)+'ms cpu',(process.cpuUsage(c).user/1000|0),r,'rss',process.memoryUsage().rss>>20)}
const photo=(w:number,h:number)=>{const small=noise((w>>3)*(h>>3)*3);return sharp(small,{raw:{width:w>>3,height:h>>3,channels:3}}).resize(w,h,{kernel:'cubic'})}
const j12=await photo(4000,3000).jpeg({quality:70}).toBuffer()
for(let i=0;i<3;i++) await t('jpeg 12M',j12)
await t('jpeg 12M orient 6',await photo(4000,3000).withMetadata({orientation:6}).jpeg({quality:70}).toBuffer())
await t('jpeg 40M orient 6',await photo(8000,5000).withMetadata({orientation:6}).jpeg({quality:40}).toBuffer())
await t('jpeg 40M prog',await photo(8000,5000).jpeg({quality:40,progressive:true}).toBuffer())
await t('png 40M',await still(8000,5000).png().toBuffer())
await t('webp 40M',await photo(8000,5000).webp({quality:20,effort:0}).toBuffer())
await t('webp 16383x2400',await photo(16376,2400).webp({quality:20,effort:0}).toBuffer())
await t('gif 380x500x500',await animation(380,500,500).gif({effort:1}).toBuffer())
await t('webp 380x500x500',await animation(380,500,500).webp({effort:0}).toBuffer())
const n=noise(400*300*3*20); await t('gif noise 20x',await sharp(n,{raw:{width:400,height:6000,channels:3,pageHeight:300}}).gif({effort:1}).toBuffer())
await t('gif 1x 6000x6000',await still(6000,6000).gif({effort:1}).toBuffer())
const a=performance.now(); await Promise.all([j12,j12,j12,j12].map(b=>processImage(b,places))); console.log('4 at once',performance.now()-a|0,'rss',process.memoryUsage().rss>>20)
