# Tells what a document of LibreOffice Writer (flat XML) or of AbiWord holds, a line for each
# paragraph: what it is, in lists the depth, its text. Links and tables are told by marks.
#
#   awk -f Scripts/outline-document.awk document.fodt

function attribute(name,    start, value) {
  start = index(tag, name "=\"")
  if (!start) return ""
  value = substr(tag, start + length(name) + 2)
  return substr(value, 1, index(value, "\"") - 1)
}

function decoded(text) {
  gsub(/&lt;/, "<", text)
  gsub(/&gt;/, ">", text)
  gsub(/&quot;/, "\"", text)
  gsub(/&apos;/, "'", text)
  gsub(/&amp;/, "\\&", text)
  return text
}

function begin(what) {
  kind = what
  text = ""
  inside = 1
}

function finish() {
  if (inside) print kind (text == "" ? "" : " " text)
  inside = 0
}

BEGIN { RS = "<" }

{
  end = index($0, ">")
  if (!end) next
  tag = substr($0, 1, end - 1)
  rest = substr($0, end + 1)
  name = tag
  sub(/[ \t\n].*/, "", name)
  sub(/\/$/, "", name)
  isEmpty = tag ~ /\/$/

  if (name == "office:text" || name == "section") { isBody = 1; next }
  if (name == "/office:text" || name == "/section") { isBody = 0; next }
  if (!isBody) next

  # Writer.
  if (name == "text:h") { begin("h" attribute("text:outline-level")) }
  else if (name == "text:p") { begin(depth ? "item" depth : "p") }
  else if (name == "text:list") depth++
  else if (name == "/text:list") depth--
  else if (name == "text:line-break") text = text "|"
  else if (name == "text:tab") text = text "\t"
  else if (name == "text:s") {
    for (count = attribute("text:c") + 0 ? attribute("text:c") : 1; count > 0; count--) text = text " "
  }
  else if (name == "table:table-row") print "row"
  else if (name == "table:table-cell") print "cell"
  else if (name == "table:table") print "table"
  else if (name == "/table:table") print "end"
  # AbiWord.
  else if (name == "p") {
    style = attribute("style")
    if (style ~ /^[Hh]eading [1-6]$/) begin("h" substr(style, 9))
    else if (attribute("listid") + 0) begin("item" attribute("level") + 1)
    else begin("p")
  }
  else if (name == "br") text = text "|"
  # Both.
  if (name == "text:a" || name == "a") text = text "[" decoded(attribute("xlink:href")) "]("
  else if (name == "/text:a" || name == "/a") text = text ")"

  if (name ~ /^\/(text:h|text:p|p)$/) finish()
  else if (inside) {
    # Line ends in the file are no text.
    gsub(/\n */, "", rest)
    text = text decoded(rest)
    if (isEmpty && name ~ /^(text:h|text:p|p)$/) finish()
  }
}
