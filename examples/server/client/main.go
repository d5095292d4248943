// client session [BODY.json]        starts a session: prints the page's address, waits, and gets the result
// client result SESSION             gets the result of a finished session
// client compare SELFIE PORTRAIT    compares two photos
//
// FACEVERIFY_SERVER is the server's address, FACEVERIFY_KEY a key of `faceverify serve key add`, FACEVERIFY_TRUSTED the
// file of the public key that signs the server's records. Uses only the standard library.
// The result is that of the signed record: the surrounding response is compared with the record and otherwise unused.
// Exit codes: 0 passed or match, 1 failed or no match, 2 usage error, 3 runtime error or an unreliable result,
// 4 neither, 5 passed by one photo alone, which the session accepted: presence was not proved.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"time"
)

const usage = "usage: client session [BODY.json] | client result SESSION | client compare SELFIE PORTRAIT"

var client = http.Client{Timeout: time.Minute}

func call(method, path, contentType string, body io.Reader, into any) error {
	server := os.Getenv("FACEVERIFY_SERVER")
	if server == "" {
		server = "http://127.0.0.1:8443"
	}
	request, err := http.NewRequest(method, server+path, body)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("FACEVERIFY_KEY"))
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	if answer.StatusCode/100 != 2 {
		var problem struct{ Detail string }
		_ = json.Unmarshal(content, &problem)
		return fmt.Errorf("%s: %s", answer.Status, problem.Detail)
	}
	return json.Unmarshal(content, into)
}

type record struct {
	Schema    json.RawMessage `json:"schema"`
	Body      json.RawMessage `json:"body"`
	Signature struct{ Algorithm, Key, Value string }
}

// Responses are canonical JSON (RFC 8785), so that they contain the signed bytes unchanged.
func (record record) verify(trusted string) error {
	signature, err := base64.StdEncoding.DecodeString(record.Signature.Value)
	if err != nil {
		return err
	}
	key, err := base64.StdEncoding.DecodeString(record.Signature.Key)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(trusted)
	if err != nil {
		return err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return errors.New(trusted + " is no PEM file")
	}
	public, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return err
	}
	if expected, ok := public.(ed25519.PublicKey); !ok || !bytes.Equal(expected, key) {
		return errors.New("another key signed the record than the trusted one")
	}
	signed := fmt.Sprintf(`{"body":%s,"schema":%s}`, record.Body, record.Schema)
	if record.Signature.Algorithm != "Ed25519" || string(record.Schema) != `"faceverify-record-1"` ||
		!ed25519.Verify(public.(ed25519.PublicKey), []byte(signed), signature) {
		return errors.New("the record was changed after it was signed")
	}
	return nil
}

// The decision, as in the record and in the surrounding response.
type outcome struct {
	IsComplete *bool
	Result     string
	Assurance  *struct{ Presence, Document, Binding string }
	Error      *struct {
		Code, Message string
		IsRetryable   bool
	}
}

// Returns the result of a session from its verified record. An empty account is that of the session's state.
func take(id, account string) (found outcome, err error) {
	path := "/v1/sessions/" + url.PathEscape(id)
	if account == "" {
		var session struct{ AccountID string }
		if err = call("GET", path, "", nil, &session); err != nil {
			return
		}
		account = session.AccountID
	}
	var answer struct {
		outcome
		WorkflowExecutionID, AccountID string
		Record                         record
	}
	if err = call("GET", path+"/result", "", nil, &answer); err != nil {
		return
	}
	if err = answer.Record.verify(os.Getenv("FACEVERIFY_TRUSTED")); err != nil {
		return
	}
	var body struct {
		Account string
		Session struct{ ID string }
		Result  outcome
	}
	if err = json.Unmarshal(answer.Record.Body, &body); err != nil {
		return
	}
	signed := body.Result
	switch {
	case body.Session.ID != id:
		return found, fmt.Errorf("the record is not of session %s, but of %q", id, body.Session.ID)
	case body.Account != account:
		return found, fmt.Errorf("the record is not of account %s, but of %q", account, body.Account)
	case signed.IsComplete == nil || signed.Assurance == nil || signed.Assurance.Presence == "" ||
		signed.Assurance.Document == "" || signed.Assurance.Binding == "":
		return found, errors.New("the record does not say what was proved")
	case answer.WorkflowExecutionID != id || answer.AccountID != account || !reflect.DeepEqual(answer.outcome, signed):
		return found, fmt.Errorf("the answer around the record differs from it, which says %q", signed.Result)
	}
	fmt.Printf("presence: %s\ndocument: %s\nbinding: %s\n",
		signed.Assurance.Presence, signed.Assurance.Document, signed.Assurance.Binding)
	return signed, nil
}

func ask(file string) (found outcome, err error) {
	body := []byte(`{"requests": [{"category": "face"}], "comparesFace": false,
		"consents": [{"text": "May your face be looked at?", "isActive": true}]}`)
	if file != "" {
		if body, err = os.ReadFile(file); err != nil {
			return
		}
	}
	var session struct{ WorkflowExecutionID, AccountID, PageURL, State string }
	if err = call("POST", "/v1/sessions", "application/json", bytes.NewReader(body), &session); err != nil {
		return
	}
	fmt.Println(session.PageURL)
	id, account := session.WorkflowExecutionID, session.AccountID
	path := "/v1/sessions/" + url.PathEscape(id)
	for session.State != "finished" && session.State != "expired" && session.State != "cleared" {
		time.Sleep(time.Second)
		if err = call("GET", path, "", nil, &session); err != nil {
			return
		}
	}
	return take(id, account)
}

func compare(files map[string]string) (decision outcome, err error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return decision, err
		}
		part, err := form.CreateFormFile(name, name)
		if err != nil {
			return decision, err
		}
		if _, err := part.Write(content); err != nil {
			return decision, err
		}
	}
	if err = form.Close(); err != nil {
		return
	}
	err = call("POST", "/v1/compare", form.FormDataContentType(), &body, &decision)
	return
}

func main() {
	arguments := os.Args[1:]
	var result outcome
	var err error
	switch {
	case os.Getenv("FACEVERIFY_KEY") == "":
		fmt.Fprintln(os.Stderr, "client: FACEVERIFY_KEY is not set")
		os.Exit(2)
	case len(arguments) > 0 && arguments[0] != "compare" && os.Getenv("FACEVERIFY_TRUSTED") == "":
		fmt.Fprintln(os.Stderr, "client: FACEVERIFY_TRUSTED is not set")
		os.Exit(2)
	case len(arguments) == 1 && arguments[0] == "session":
		result, err = ask("")
	case len(arguments) == 2 && arguments[0] == "session":
		result, err = ask(arguments[1])
	case len(arguments) == 2 && arguments[0] == "result":
		result, err = take(arguments[1], "")
	case len(arguments) == 3 && arguments[0] == "compare":
		result, err = compare(map[string]string{"selfie": arguments[1], "portrait": arguments[2]})
	default:
		fmt.Fprintln(os.Stderr, usage)
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "client:", err)
		os.Exit(3)
	}
	fmt.Println(result.Result)
	switch result.Result {
	case "passed", "match":
		if result.Assurance != nil && result.Assurance.Presence == "photo" {
			os.Exit(5)
		}
	case "failed", "no-match":
		os.Exit(1)
	default:
		os.Exit(4)
	}
}
