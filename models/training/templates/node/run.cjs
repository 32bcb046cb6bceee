// Draws documents of one template: `run.cjs NAME OUT`, a job a line on standard input, INDEX.html or INDEX.pdf in OUT.
const fs = require("fs");
const path = require("path");

const folder = path.join(__dirname, "recipes");
const recipes = Object.assign({}, ...fs.readdirSync(folder).map((name) => require(path.join(folder, name))));

async function main() {
  const [name, out] = process.argv.slice(2);
  const jobs = fs.readFileSync(0, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
  let said = false;
  for (const { index, chance, facts } of jobs) {
    try {
      const drawn = await recipes[name](facts, chance, path.join(out, `${index}.pdf`));
      if (typeof drawn === "string") fs.writeFileSync(path.join(out, `${index}.html`), drawn);
      else if (drawn) fs.writeFileSync(path.join(out, `${index}.pdf`), drawn);
    } catch (error) {
      if (!said) console.error(name, index, error);
      said = true;
    }
  }
}
main();
