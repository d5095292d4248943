/** Texts by code, in the person's language; missing ones are in English. */

export const LANGUAGES = {
  en: "English", de: "Deutsch", es: "Español", fr: "Français", it: "Italiano", pl: "Polski", pt: "Português", tr: "Türkçe", uk: "Українська", ar: "العربية",
};
const RIGHT_TO_LEFT = ["ar"];

let english = null, words = {};
export let language = "en";

const load = async (name) => (await fetch(`/assets/i18n/${name}.json`)).json();
/** English is fetched only if it is selected or a text is missing. */
const fallback = async () => (english ??= await load("en"));

/** The first of the given languages that is supported. */
export function choose(wanted) {
  for (const tag of wanted) {
    const name = String(tag ?? "").toLowerCase().split("-")[0];
    if (Object.hasOwn(LANGUAGES, name)) return name;
  }
  return "en";
}

export async function speak(name) {
  words = name === "en" ? await fallback() : await load(name).catch(fallback);
  language = words === english ? "en" : name;
  document.documentElement.lang = language;
  document.documentElement.dir = RIGHT_TO_LEFT.includes(language) ? "rtl" : "ltr";
  document.title = t("title");
}

export const has = (code) => code in words || (english !== null && code in english);

/** The text of a code with `{name}` replaced, else `or`. "words" is dispatched if English had to be fetched. */
export function t(code, values = {}) {
  if (!english && !(code in words)) fallback().then(() => dispatchEvent(new Event("words"))).catch(() => {});
  const text = words[code] ?? english?.[code] ?? values.or ?? code;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

export const number = (value) => new Intl.NumberFormat(language).format(value);
export const percent = (value) => new Intl.NumberFormat(language, { style: "percent" }).format(value);

export function minutes(seconds) {
  const long = seconds >= 90;
  return new Intl.NumberFormat(language, { style: "unit", unit: long ? "minute" : "second", unitDisplay: "long" })
    .format(long ? Math.round(seconds / 60) : Math.max(0, Math.round(seconds)));
}

/** ICAO 9303-3 codes whose first two letters are not the ISO 3166-1 code. */
const TWO_LETTERS =
  "ABWAW AGOAO ALAAX ANDAD AREAE ARMAM ATAAQ ATFTF ATGAG AUTAT BDIBI BENBJ BESBQ BGDBD BHSBS BIHBA BLRBY BLZBZ BRBBB BRNBN " +
  "CAFCF CHLCL CHNCN CODCD COGCG COKCK COMKM CPVCV CUWCW CYMKY DNKDK ESHEH ESTEE FLKFK FROFO FSMFM GINGN GLPGP GNBGW GNQGQ " +
  "GRDGD GRLGL GUFGF GUYGY IRLIE IRQIQ ISRIL JAMJM KAZKZ KORKR LBRLR LBYLY MACMO MAFMF MDGMG MDVMV MEXMX MLTMT MNEME MNPMP " +
  "MOZMZ MTQMQ MYTYT NIUNU PAKPK PCNPN PLWPW PNGPG POLPL PRKKP PRTPT PRYPY PYFPF SENSN SGSGS SLBSB SLVSV SPMPM SRBRS SURSR " +
  "SVKSK SVNSI SWESE SWZSZ SYCSC TCDTD TKMTM TUNTN TURTR TUVTV UKRUA URYUY WLFWF RKSXK UNKXK EUEEU UNOUN UNAUN ROMRO TMPTL " +
  "ZARCD ZIMZW GBDGB GBNGB GBOGB GBPGB GBSGB";

/** The ISO 3166-1 code of two letters; none for X codes, and for codes that two states would share. */
function region(code) {
  const found = TWO_LETTERS.match(new RegExp(`(?:^| )${code}([A-Z]{2})(?: |$)`))?.[1];
  if (!found && (code.startsWith("X") || ["SCG", "UTO", "IAO", "NTZ"].includes(code))) return undefined;
  return code === "D" ? "DE" : found ?? code.slice(0, 2);
}

/** The country of these codes that the browser's languages name first ("de-AT"); none if they name no country. */
export function likely(codes) {
  const own = codes.filter((code) => code === "D" || code.length === 3 && !/^(GB[^R]|ROM|TMP|ZAR|ZIM)$/.test(code));
  for (const tag of navigator.languages) {
    const two = /-([A-Z]{2})\b/.exec(tag)?.[1], found = two && own.find((code) => region(code) === two);
    if (found) return found;
  }
  return undefined;
}

/** The name of an ICAO 9303-3 code in the browser's data; otherwise the code. */
export function country(code) {
  if (has(`country.${code}`)) return t(`country.${code}`);
  const two = region(code);
  if (!two) return code;
  try {
    const name = new Intl.DisplayNames(language, { type: "region", fallback: "none" }).of(two);
    return name ? (code.length === 3 && code.startsWith("GB") && code !== "GBR" ? `${name} (${code})` : name) : code;
  } catch {
    return code;
  }
}
