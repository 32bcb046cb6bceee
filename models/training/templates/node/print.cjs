// Prints HTML files with Chromium: a job a line, {"html", "pdf", "options"}; what fails is said and left out.
const fs = require("fs");
const puppeteer = require("puppeteer-core");

async function main() {
  const jobs = fs.readFileSync(0, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
  const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"], timeout: 180000, protocolTimeout: 180000 });
  const page = await browser.newPage();
  // No template may ask the network for anything.
  await page.setRequestInterception(true);
  page.on("request", (request) => (/^(data|file|about):/.test(request.url()) ? request.continue() : request.abort()));
  for (const job of jobs) {
    try {
      await page.goto("file://" + job.html, { waitUntil: "load", timeout: 60000 });
      if (job.font) await page.addStyleTag({ content: `* { font-family: ${job.font} !important }` });
      await page.pdf({ path: job.pdf, printBackground: true, ...job.options });
    } catch (error) {
      console.error(job.html, String(error).slice(0, 200));
    }
  }
  await browser.close();
}
main();
